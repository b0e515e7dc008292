/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- reads, and on demand writes, what a released version saved */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { useScene } from '../engine/support/scene';
import { closeTenant } from '../unit/trigger/support/openTenant';
import type { SavedNode } from './savedNodes';
import { INPUT, SAVED_NODES } from './savedNodes';
import { goOn, recordMemory, SAVED_TRIGGERS } from './savedTriggers';

/*
 * What people have saved with a released version, and what this build makes of it. `RECORD=1.2.3` writes
 * what this build saves and sends, once, when a version is released; nothing of it is ever changed again.
 */

const recorded = process.env.RECORD;
const folderOf = (version: string) => path.join(__dirname, version);
const versions = readdirSync(__dirname).filter((name) => /^\d+\.\d+\.\d+$/.test(name));

/** A node, what it sent, and the fields that it gave, each with its type. */
interface Replayed extends SavedNode {
	requests: unknown[];
	fields: Record<string, string>;
}

interface RecordedTrigger {
	watch: string;
	event: string;
	memory: string;
}

const read = <T>(version: string, file: string) =>
	JSON.parse(readFileSync(path.join(folderOf(version), file), 'utf8')) as T;

function write(version: string, file: string, content: unknown) {
	if (existsSync(path.join(folderOf(version), file))) throw new Error(`${version} is recorded`);
	mkdirSync(folderOf(version), { recursive: true });
	writeFileSync(path.join(folderOf(version), file), `${JSON.stringify(content, null, '\t')}\n`);
}

describe('a node that was saved with a released version', () => {
	const scene = useScene();

	async function replay({ name, parameters }: SavedNode): Promise<Replayed> {
		scene.service.reset();
		scene.clear();
		const { items, error } = await scene.run({ parameters, input: [INPUT], isAsSaved: true });
		if (error) throw error;
		const sent = scene.sent().filter((request) => !isOfTitles(parameters.resource, request));
		const requests = sent.map(({ method, path: to, query, contentType, body }) => ({
			...{ method, path: to, query, contentType, body },
		}));
		return { name, parameters, requests: asJson(requests), fields: typesIn(items[0]?.json ?? {}) };
	}

	if (recorded) {
		it('is recorded', async () => {
			const replays: Replayed[] = [];
			for (const saved of SAVED_NODES) replays.push(await replay(saved));
			write(recorded, 'nodes.json', replays);
		});
	}

	const saved = versions.flatMap((version) =>
		read<Replayed[]>(version, 'nodes.json').map((node, index) => ({ version, index, ...node })),
	);

	it.each(saved)('does and gives the same: $version, $index, $name', async (node) => {
		const { requests, fields } = await replay(node);
		expect(requests).toEqual(node.requests);
		expect(fields).toMatchObject(node.fields);
	});
});

describe('a trigger that remembers what a released version saved', () => {
	afterEach(closeTenant);

	if (recorded) {
		it('is recorded', async () => {
			const memories: RecordedTrigger[] = [];
			for (const trigger of SAVED_TRIGGERS) {
				const { watch, event } = trigger;
				memories.push({ watch, event, memory: await recordMemory(trigger) });
				closeTenant();
			}
			write(recorded, 'triggers.json', memories);
		});
	}

	const saved = versions.flatMap((version) =>
		read<RecordedTrigger[]>(version, 'triggers.json').map((trigger) => ({ version, ...trigger })),
	);

	it.each(saved)('goes on: $version, $watch, $event', async ({ watch, event, memory }) => {
		const trigger = SAVED_TRIGGERS.find((one) => one.watch === watch && one.event === event)!;
		expect(await goOn(trigger, memory)).toEqual([event]);
	});
});

/** Titles are read when they are not known yet. */
function isOfTitles(resource: unknown, { method, path: to }: { method: string; path: string }) {
	return method === 'GET' && ['/workspaces', '/segments'].includes(to) && to !== `/${resource}s`;
}

function asJson(value: unknown): unknown[] {
	return JSON.parse(JSON.stringify(value)) as unknown[];
}

function typesIn(json: IDataObject): Record<string, string> {
	return Object.fromEntries(
		Object.entries(json)
			.filter(([, value]) => value !== null)
			.map(([name, value]) => [name, Array.isArray(value) ? 'array' : typeof value]),
	);
}
