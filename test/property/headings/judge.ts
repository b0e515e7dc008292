import type { IDataObject } from 'n8n-workflow';
import { countryCode } from '../../../nodes/ContactTaskCrm/values/country';
import type { Column } from './drawn';

/** What became of a file with one row. */
export interface Played {
	/** Body of the write; absent if the row is refused. */
	body: IDataObject | undefined;
	/** Error of the row. */
	error: string;
	note: string;
	/** What the preview says about headings, as JSON. */
	notUsed: string;
}

/** Length up to which messages show a heading. */
const SHOWN = 40;

/** Returns the broken promises: each value is in its field, or named. Two addresses are never mixed. */
export function findings(columns: readonly Column[], played: Played): string[] {
	const { body, error } = played;
	if (!body) return error === '' ? ['the row has neither a write nor an error'] : [];
	return [
		...columns.flatMap((column) => lost(column, body, played)),
		...astray(columns, body),
		...mixed(columns, body),
	];
}

function lost(column: Column, body: IDataObject, { note, notUsed }: Played): string[] {
	const { heading, value, fields } = column;
	const shown = heading.length > SHOWN ? `${heading.slice(0, SHOWN)}…` : heading;
	const isNamed =
		notUsed.includes(JSON.stringify(shown)) ||
		[shown, value].some((text) => note.includes(`"${text}"`));
	if (isNamed) return [];
	const isStored = value
		.split(' ')
		.every(
			(word) =>
				fields.some((field) => holds(body[field], word)) || holds(body.address, countryOf(value)),
		);
	return isStored ? [] : [`${heading}: ${value} is lost`];
}

function countryOf(value: string): string {
	return countryCode(value) ?? value;
}

function holds(stored: unknown, text: string): boolean {
	return stored !== undefined && JSON.stringify(stored).includes(text);
}

/** Reports values in a wrong field. Each value is in one column alone, so its place shows where it came from. */
function astray(columns: readonly Column[], body: IDataObject): string[] {
	return columns.flatMap(({ heading, value, fields }) => {
		if (!/^(?:Word|Given|Chief)|@|^network-/.test(value)) return [];
		const found = Object.keys(body).filter((field) => {
			const exact = new RegExp(`(?<![a-z0-9])${value.split(' ')[0]}(?![a-z0-9])`);
			return exact.test(JSON.stringify(body[field])) && !fields.includes(field);
		});
		return found.map((field) => `${heading}: ${value} is in ${field}`);
	});
}

/** Reports a stored address with parts of two addresses, such as a home street with a work city. */
function mixed(columns: readonly Column[], body: IDataObject): string[] {
	const stored = JSON.stringify(body.address ?? {});
	const isStored = ({ value }: Column) => new RegExp(`(?<![A-Za-z])${value}(?![a-z])`).test(stored);
	const from = columns.filter(
		({ address, value }) => address && value.startsWith('Word') && isStored({ value } as Column),
	);
	const kinds = new Set(from.map(({ address = '' }) => address.split(' ')[0]).filter(Boolean));
	return kinds.size > 1 ? [`the address is mixed from ${[...kinds].join(' and ')}`] : [];
}
