import type { IDataObject } from 'n8n-workflow';
import type { Column } from '../../../service/records';
import { showReference } from '../../../service/references';
import type { Switches } from '../../../service/switches';
import { showTimes } from '../../../service/timestamps';
import type { TenantHabits } from './habits';

/** Values that decide the form of a record. */
interface Form {
	habits: TenantHabits;
	switches: Switches;
	random: () => number;
}

const REFERRING = ['owner', 'tags', 'segments', 'status', 'workspace', 'assignees'];

/** Returns a record in the form of an answer. */
export function showRecord(fields: IDataObject, form: Form): IDataObject {
	const { prefix, embeds, rewrites, timezone } = form.habits;
	const timed = showTimes(fields, timezone) as IDataObject;
	if (prefix === '' && !embeds && !rewrites) return timed;
	const referring = Object.entries(timed).map(([name, value]) => [
		name,
		REFERRING.includes(name) ? reference(value, form) : value,
	]);
	const shown = Object.fromEntries(referring) as IDataObject;
	return rewrites ? rewritten(shown, form.random) : shown;
}

/** Returns a store in which every record exists, with this title. */
const named = (title: string) => ({
	has: () => true,
	record: () => ({ title }),
	column: () => ({ title }) as Column,
});

/** Returns a reference. A service that rewrites its answers draws the form and the title anew. */
function reference(value: unknown, form: Form): unknown {
	const { habits, switches, random } = form;
	const { rewrites } = habits;
	if (Array.isArray(value)) {
		const all = value.map((one) => reference(one, form));
		return rewrites && random() < 0.5 ? all.reverse() : all;
	}
	if (typeof value !== 'string') return value;
	if (!rewrites) return showReference(value, { store: named('A title'), switches });
	const references = random() < 0.5 ? 'embedded' : 'iris';
	const store = named(`A title ${random()}`);
	return showReference(value, { store, switches: { ...switches, references } });
}

/**
 * Writes a record in another equivalent form. Differences are the order of names, null or absent, Z or +00:00,
 * `@context`, the `@id` of embedded objects, addresses of files, and empty values.
 */
function rewritten(fields: IDataObject, random: () => number): IDataObject {
	const isOther = () => random() < 0.5;
	const embedded = {
		address: { '@id': `/.well-known/genid/${random()}`, '@type': 'Address', city: 'Utrecht' },
		emailAddresses: [{ '@id': `/.well-known/genid/${random()}`, email: 'a@example.com' }],
		files: [{ name: 'Offer', publicUrl: `https://files.test/a?signature=${random()}` }],
		phoneNumbers: [[], {}, [[]]][Math.floor(random() * 3)],
		...(isOther() ? { '@context': '/contexts/X', '@type': 'X' } : {}),
	};
	const entries = Object.entries({ ...fields, ...embedded })
		.filter(([, value]) => value !== null || isOther())
		.map(([name, value]): [string, unknown] => [
			name,
			typeof value === 'string'
				? value.replace(/(:\d\d(?:\.\d+)?)(?:Z|\+00:00)$/, isOther() ? '$1Z' : '$1+00:00')
				: value,
		]);
	if (isOther()) entries.reverse();
	return Object.fromEntries(entries) as IDataObject;
}
