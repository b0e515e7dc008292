import type { IDataObject } from 'n8n-workflow';
import type { Lookup } from '../people/lookups';
import { lookupByEmail } from '../people/lookups';
import type { PlannedAction } from '../people/plan';
import { contracts } from '../schema';
import { isBlank, isObject, locatedIn } from '../util/values';
import { titleCase } from '../schema/label';
import type { RecordContract } from '../schema/record';
import type { Client } from '../tenant/client';
import { requestRecord } from '../tenant/records';
import { UnusableParameter } from '../util/errors';
import { isAddress } from '../util/identifiers';
import { comparableId, filledPath, pathParameters } from '../util/iri';
import type { Item } from './item';
import type { RecordSpecification } from './specification';

/** What an item works with, as its parameters say it. */
export interface Target {
	/** Path of the request; a template where the person has still to be found. */
	path: string;
	/** Id of the record that is addressed; absent for a collection. */
	id?: string;
	/** What the last locator of the path names: the record, or the one it stands below. */
	named?: { noun: string; id: string };
	/** The search for a person who is addressed by e-mail address. */
	lookup?: Lookup;
}

/** A record that an item works with, once it is known which one it is. */
export interface Located extends Omit<Target, 'lookup'> {
	/** The record, where it had to be read to know which one it is, and is as it was then. */
	record?: IDataObject;
}

/**
 * The record that an item addresses: by its id, or, for a person, by e-mail address.
 *
 * @param plan what the item is going to do with the record, where its method does not say it
 * @throws UnusableParameter naming the locator that cannot be used
 */
export async function targetOf(
	item: Item,
	plan: (found: IDataObject) => PlannedAction = () => (item.isWrite ? 'change' : 'read'),
): Promise<Target> {
	const { context, request } = item;
	const { url: template = '' } = request;
	const names = pathParameters(template);
	const { locator, noun } = contracts.person;
	const email = names.includes(locator)
		? emailOf(context.getNodeParameter(locator, undefined))
		: undefined;
	if (email !== undefined) {
		const lookup = item.looksFor(lookupByEmail(email, titleCase(noun), plan));
		return { path: template, lookup };
	}
	const ids: Record<string, string> = {};
	for (const name of names) ids[name] = await locatedId(item, name);
	const path = filledPath(template, ids);
	const last = names.at(-1);
	if (last === undefined) return { path };
	const named = { noun: contractOf(last).noun, id: ids[last] };
	// What a comment is added to is its task, which is no comment itself.
	const isBelow = template.endsWith('/comments') || template.endsWith('/history');
	return { path, named, ...(isBelow ? {} : { id: ids[last] }) };
}

/** Works with the record that an item addresses; what changes it goes one after the other. */
export async function withTarget<T>(
	item: Item,
	client: Client,
	{ record, target }: { record: RecordSpecification; target: Target },
	work: (located: Located) => Promise<T>,
): Promise<T> {
	const { lookup } = target;
	if (!lookup) return await locked(item, client, record, target, async () => await work(target));
	const { run } = item;
	const { id, person, mark } = await run.lookups.findByEmail(client, lookup);
	const located = { path: target.path.replace(`{${record.locator}}`, id), id };
	return await locked(item, client, record, located, async () => {
		const isAsFound = !client.tenant.writes.isWrittenSince(id, mark);
		return await work(isAsFound ? { ...located, record: person } : located);
	});
}

async function locked<T>(
	item: Item,
	client: Client,
	{ noun }: RecordSpecification,
	{ id }: Located,
	work: () => Promise<T>,
): Promise<T> {
	if (!item.isWrite || id === undefined) return await work();
	return await item.lock(client, `${noun} ${comparableId(id)}`, work);
}

/** A record as it is now: as it was just found, or read. */
export async function currentRecord(
	client: Client,
	contract: RecordContract,
	{ path, id = '', record }: Located,
): Promise<IDataObject> {
	const subject = { noun: contract.noun, id };
	return record ?? (await requestRecord(client, { method: 'GET', path, subject }, contract));
}

/**
 * A record as it is before it is changed: as it was just found or read, or as the service answered to a later
 * write of ours.
 */
export async function recordToChange(
	client: Client,
	contract: RecordContract,
	located: Located,
): Promise<IDataObject> {
	const current = await currentRecord(client, contract, located);
	const { id } = located;
	const { writes } = client.tenant;
	return (id !== undefined && writes.latest(contract.noun, id, current)) || current;
}

function contractOf(name: string): RecordContract {
	return Object.values(contracts).find(({ locator }) => locator === name)!;
}

/** The e-mail address that a locator holds: in the mode for it, or in any, since a model cannot choose one. */
function emailOf(located: unknown): string | undefined {
	const value = locatedIn(located);
	if (typeof value !== 'string' || isBlank(value)) return undefined;
	const isByEmail = isObject(located) && located.mode === 'email';
	return isByEmail || isAddress(value) ? value : undefined;
}

async function locatedId(item: Item, name: string): Promise<string> {
	const value = item.context.getNodeParameter(name, undefined, { extractValue: true });
	const { noun, collection } = contractOf(name);
	const label = titleCase(noun);
	if (isBlank(value)) {
		throw new UnusableParameter(
			`${label} is empty`,
			`Choose a ${noun} from the list, or give its ID. An expression must give an ID for every item`,
		);
	}
	const id = await item.id(value, collection);
	if ('value' in id) return id.value;
	throw new UnusableParameter(
		`${label}: ${id.expected}`,
		`Give the ID of the ${noun} as the service shows it, without any other part of an address`,
	);
}
