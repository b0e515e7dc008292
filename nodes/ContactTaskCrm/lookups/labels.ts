import type { IDataObject } from 'n8n-workflow';

/** A record as people recognise it: names before numbers, an id only where nothing better is known. */
export function personLabel(person: IDataObject): string {
	const name = joined([person.givenName, person.additionalName, person.familyName], ' ');
	const [first] = (
		Array.isArray(person.emailAddresses) ? person.emailAddresses : []
	) as IDataObject[];
	const email = first?.email ? ` (${String(first.email)})` : '';
	return (name || idLabel(person)) + email;
}

export function taskLabel(task: IDataObject): string {
	const number =
		task.indexNumber === undefined || task.indexNumber === null
			? ''
			: ` #${task.indexNumber as string}`;
	return titleLabel(task) + number;
}

export function titleLabel(record: IDataObject): string {
	return joined([record.title], '') || idLabel(record);
}

export function commentLabel(comment: IDataObject): string {
	const text = joined([comment.description], '').replace(/\s+/g, ' ').slice(0, 80);
	return joined([text || idLabel(comment), day(comment)], ' · ');
}

export function historyLabel(entry: IDataObject): string {
	return joined([day(entry), idLabel(entry)], ' · ');
}

function day(record: IDataObject): string {
	return joined([record.createdAt], '').slice(0, 16).replace('T', ' ');
}

function idLabel(record: IDataObject): string {
	return joined([record.id ?? record['@id']], '');
}

function joined(parts: unknown[], separator: string): string {
	return parts
		.filter((part) => typeof part === 'string' || typeof part === 'number')
		.map((part) => String(part).trim())
		.filter((part) => part !== '')
		.join(separator);
}
