import { readField, type FieldKind } from './fields';
import type { Operation, Row } from './operations';
import type { Played } from './play';
import { readReference, readText, type Reading } from './readings';

/** Returns a reading of every field that a row may fill. */
export function readRow(operation: Operation, columns: string[], row: Row, known: Played['known']) {
	const kinds: Record<string, FieldKind> = { ...operation.required, ...operation.optional };
	const top = Object.entries(kinds).map(([name, kind]) => {
		return [name, readField(kind, unmarked(row.required?.[name]), known)] as const;
	});
	const cells = columns.map((name) => {
		return [name, readField(operation.fields[name], unmarked(row.values[name]), known)] as const;
	});
	return Object.fromEntries([...top, ...cells]) as Record<string, Reading>;
}

/** Restores a value that JSON cannot hold. */
export function unmarked(given: unknown): unknown {
	if (Array.isArray(given)) return given.map(unmarked);
	if (given === '@NaN') return NaN;
	return given === '@Infinity' ? Infinity : given;
}

/** Returns whether the node must refuse a row, because a value is impossible or missing. */
export function mustFail(
	operation: Operation,
	row: Row,
	readings: Record<string, Reading>,
): boolean {
	const required = Object.keys(operation.required ?? {});
	// Removing a tag or segment that no record has changes nothing, so the node may accept an unknown name.
	const top = operation.does === 'remove' ? Object.values(row.required ?? {}) : [];
	if (top.some((given) => /^[\w-]+$/.test(String(given)))) return false;
	return (
		Object.values(readings).some(({ is }) => is === 'refused') ||
		required.some((name) => readings[name].is === 'blank') ||
		(operation.does === 'upsert' && readText(unmarked(row.match)).is !== 'value')
	);
}

export const mayFail = (readings: Record<string, Reading>) =>
	Object.values(readings).some(({ is }) => is === 'open' || is === 'refused');

export function readTarget(operation: Operation, row: Row, { known }: Played) {
	if (!operation.target) return undefined;
	return readReference(unmarked(row.target), known[operation.target]);
}

export function targetOf(operation: Operation, row: Row, played: Played): string | undefined {
	const reading = readTarget(operation, row, played);
	if (!reading || !('fits' in reading)) return undefined;
	return played.known[operation.target!].iris.find((iri) => reading.fits(iri));
}
