/** A saved state of any version, as n8n hands it back. */
export type SavedForm = Readonly<Record<string, unknown>>;

/** By the version of a saved state, what makes the next version of it. Pure, and never edited once released. */
export type Migrations = Readonly<Record<number, (saved: SavedForm) => SavedForm>>;

/**
 * The version of the form that is saved now. A new optional field needs no new version; a field that
 * goes, or means something else, does, and an entry in `MIGRATIONS` for the version before.
 */
export const VERSION = 1;

export const MIGRATIONS: Migrations = {};

/** A saved state in the form of now, or why it cannot be brought into it. */
export type Migrated = { kind: 'migrated'; saved: SavedForm } | { kind: 'later' | 'unknown' };

/**
 * Brings a saved state of an older version into the form of now, one version after the other.
 *
 * @param saved what stands in static data
 */
export function migrated(
	saved: unknown,
	migrations: Migrations = MIGRATIONS,
	version: number = VERSION,
): Migrated {
	if (typeof saved !== 'object' || saved === null) return { kind: 'unknown' };
	let form = saved as SavedForm;
	if (typeof form.v === 'number' && form.v > version) return { kind: 'later' };
	for (let from = form.v; from !== version; from = form.v) {
		const migrate = typeof from === 'number' ? migrations[from] : undefined;
		if (!migrate) return { kind: 'unknown' };
		form = { ...migrate(form), v: Number(from) + 1 };
	}
	return { kind: 'migrated', saved: form };
}
