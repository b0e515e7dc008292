/* eslint-disable @n8n/community-nodes/no-restricted-globals -- time is virtual here */
import type { IDataObject } from 'n8n-workflow';
import { runNode } from '../../engine/support/runNode';
import { untilDone, useTransport } from '../../engine/support/transport';
import { blankPerson } from '../../service/resources/people';
import { formatTimestamp } from '../../service/timestamps';
import { Company, emailOf } from '../overlaps/company';
import type { Drawn, Field, Operation, Step } from './drawn';
import { NEW, WHO } from './drawn';
import type { Cells, Played, Write } from './judge';

const AT = '2026-01-05T09:00:00+00:00';
let companies = 0;

const located = (value: string) => ({ __rl: true, mode: 'id', value });

/** For each operation, a function that returns its parameters for a step and the IDs of the records. */
const PARAMETERS: Record<Operation, (step: Step & { id: string; task: string }) => object> = {
	upsert: ({ who, cell }) => ({
		...{ email: emailOf(who), familyName: 'Vos', phone: cell.phone },
		additionalFields: { jobTitle: cell.jobTitle, tags: [cell.tag], address: { city: cell.city } },
	}),
	create: ({ who, cell }) => ({
		...{ familyName: 'Bos', email: `also-${emailOf(who)}` },
		additionalFields: { jobTitle: cell.jobTitle, tags: [cell.tag] },
	}),
	update: ({ id, cell }) => ({
		personId: located(id),
		updateFields: { jobTitle: cell.jobTitle, tags: [cell.tag], address: { city: cell.city } },
	}),
	replace: ({ id, who, cell }) => ({
		...{ personId: located(id), familyName: 'Vos', email: emailOf(who) },
		additionalFields: { jobTitle: cell.jobTitle },
	}),
	addTags: ({ id, cell }) => ({ personId: located(id), tags: [cell.tag] }),
	removeTags: ({ id, cell }) => ({ personId: located(id), tags: [cell.tag] }),
	addPhoneNumber: ({ id, cell }) => ({ personId: located(id), phoneNumber: cell.phone }),
	addEmailAddress: ({ id, cell }) => ({ personId: located(id), email: cell.email }),
	archive: ({ id }) => ({ personId: located(id) }),
	unarchive: ({ id }) => ({ personId: located(id) }),
	move: ({ task, cell }) => ({ taskId: located(task), status: located(cell.column) }),
};

/** Plays a run of several operations, with changes by colleagues in between. Then undoes the run. Time is virtual. */
export async function play({ steps, output, meanwhile }: Drawn): Promise<Played> {
	jest.clearAllTimers();
	const url = `https://undo${companies++}.example`;
	const company = new Company(url, ['key'], {
		...{ limit: 60, latencyMs: [25, 25], switches: {}, timeOfChange: 'whole seconds' },
	});
	const { people } = company.store;
	people.clear();
	const ids = WHO.map((who) => company.idOf('people', who));
	for (const who of WHO.filter((one) => one !== NEW)) {
		people.set(ids[who], {
			...{ ...blankPerson(ids[who], AT), familyName: 'Vos', jobTitle: 'as at the start' },
			emailAddresses: [{ email: emailOf(who) }],
		});
	}
	const task = company.idOf('tasks', 0);
	let beforeRead = () => {};
	useTransport(async (request) => {
		if ((request.method ?? 'GET') === 'GET') beforeRead();
		return await company.answer('', request);
	});
	const run = async (parameters: object, input: IDataObject[] = [{}]) => {
		const options = { output, fields: ['id', 'jobTitle', 'title'], tellChanges: true };
		const running = runNode(
			{ url, apiKey: 'key' },
			{ parameters: { ...parameters, options }, input },
		);
		const { items, error } = await untilDone(running);
		if (error) throw error;
		return items.map(({ json }) => json);
	};
	const writes: Write[] = [];
	const created = new Set<string>();
	const done: Record<'person' | 'task', IDataObject[]> = { person: [], task: [] };
	for (const step of steps) {
		await untilDone(new Promise<void>((resolve) => setTimeout(resolve, 3_000)));
		const before = cellsOf(company, task);
		const [found] = company.peopleWith(emailOf(step.who));
		const id = found?.id;
		if (step.by === 'colleague') {
			if (id !== undefined || step.field === 'column') act(company, step, { id: id!, task });
		} else if (id !== undefined || ['upsert', 'create', 'move'].includes(step.operation)) {
			const { operation } = step;
			const resource = operation === 'move' ? 'task' : 'person';
			const parameters = PARAMETERS[operation]({ ...step, id: id ?? '', task });
			const told = await run({ resource, operation, ...parameters });
			done[resource].push(...told);
			for (const one of told) if (one.result === 'created') created.add(String(one.id));
		}
		writes.push({ by: step.by, before, after: cellsOf(company, task) });
	}
	const changed: Cells = new Map();
	let reads = 0;
	beforeRead = () => {
		for (const { who } of meanwhile.filter(({ read }) => read === reads)) {
			const [person] = company.peopleWith(emailOf(who));
			if (!person) continue;
			const jobTitle = `meanwhile ${who}`;
			people.set(person.id, { ...person, jobTitle, updatedAt: formatTimestamp(Date.now()) });
			changed.set(`${person.id} jobTitle`, jobTitle);
		}
		reads++;
	};
	const undone: IDataObject[] = [];
	for (const resource of ['person', 'task'] as const) {
		const isText = output === 'selectedFields';
		const input = done[resource].map((one) =>
			isText ? { ...one, changes: JSON.stringify(one.changes) } : one,
		);
		if (input.length > 0) undone.push(...(await run({ resource, operation: 'undo' }, input)));
	}
	return { writes, meanwhile: changed, created, after: cellsOf(company, task), undone };
}

/** Changes a record as a colleague. */
function act(
	company: Company,
	{ cell, field }: Step & { field: Field },
	{ id, task }: Record<string, string>,
) {
	const { people, tasks } = company.store;
	const updatedAt = formatTimestamp(Date.now());
	if (field === 'column') {
		tasks.set(task, { ...tasks.get(task)!, status: cell.column, updatedAt });
		return;
	}
	const person = people.get(id)!;
	const { tags, phoneNumbers, emailAddresses, address, archivedAt } = person;
	const toggled = <T>(list: T[], entry: T, isSame: (one: T) => boolean) =>
		list.some(isSame) ? list.filter((one) => !isSame(one)) : [...list, entry];
	const changes = {
		jobTitle: { jobTitle: cell.jobTitle },
		city: { address: { ...address, city: cell.city } },
		tag: { tags: toggled(tags, cell.tag, (one) => one === cell.tag) },
		phone: {
			phoneNumbers: toggled(
				phoneNumbers,
				{ phoneNumber: cell.phone, phoneType: 'mobile' as const },
				({ phoneNumber }) => phoneNumber === cell.phone,
			),
		},
		email: {
			emailAddresses: toggled(
				emailAddresses,
				{ email: cell.email },
				({ email }) => email === cell.email,
			),
		},
		archivedAt: { archivedAt: archivedAt === null ? updatedAt : null },
	}[field];
	people.set(id, { ...person, ...changes, updatedAt });
}

/** Returns the values of all people and of the task, with keys as in `Cells`. */
function cellsOf(company: Company, task: string): Cells {
	const cells: Cells = new Map();
	for (const person of company.store.people.values()) {
		const { id, jobTitle, address, archivedAt, tags, phoneNumbers, emailAddresses } = person;
		cells.set(`${id} jobTitle`, jobTitle);
		cells.set(`${id} city`, address.city ?? null);
		cells.set(`${id} archivedAt`, archivedAt);
		for (const tag of tags) cells.set(`${id} tags ${tag}`, true);
		for (const { phoneNumber, phoneType } of phoneNumbers) {
			cells.set(`${id} phone ${phoneNumber}`, String(phoneType));
		}
		for (const { email } of emailAddresses) cells.set(`${id} email ${email}`, true);
	}
	cells.set(`${task} status`, company.columnOf(0));
	return cells;
}
