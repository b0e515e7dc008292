import { exchangesOf, FILES, type Exchange } from '../unit/service/recorded/exchanges';
import { sampled } from '../support/drawn';
import { answer } from './support/faults';
import { locator } from './support/fields';
import { useScene } from './support/scene';

/*
 * A real API Platform application gave the recorded answers. A read, a list and a write each get every form of answer
 * among them. The node must understand it. Otherwise, the error must quote the service or describe the answer.
 */
type Body = Record<string, unknown>;

const isObject = (value: unknown): value is Body =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const formOf = ({ response: { status, body, text } }: Exchange) =>
	JSON.stringify([
		status,
		isObject(body) ? [body['@type'], body.type, Object.keys(body)] : Array.isArray(body),
		text?.slice(0, 20),
	]);

const all = FILES.flatMap(exchangesOf).filter(
	// A HEAD request has no body, and a text that was cut is not valid any more.
	({ request, response }) => request.method !== 'HEAD' && response.cutAt === undefined,
);
const FORMS = [...new Map(all.map((exchange) => [formOf(exchange), exchange])).values()];

/** Yields the values in a body. Errors about an unreadable body must not show them, but may show names. */
function* valuesIn(value: unknown): Generator<string> {
	if (typeof value === 'string' && value.length > 4) yield value;
	if (typeof value === 'object' && value !== null) {
		for (const [name, child] of Object.entries(value)) if (name !== '@type') yield* valuesIn(child);
	}
}

describe.each(
	sampled(FORMS.map((exchange) => [exchange.response.status, exchange.name, exchange] as const)),
)('a recorded answer with HTTP %s to "%s"', (status, _, { response: { body, headers } }) => {
	const scene = useScene();
	const { id } = (isObject(body) ? body : {}) as { id?: string };
	// In plain JSON, nothing shows the kind of record.
	const isPersonal = (record: unknown) =>
		isObject(record) && 'id' in record && String(record['@type'] ?? 'Person') === 'Person';
	const isPerson = status < 300 && isPersonal(body);
	const members = isObject(body) ? body.member : body;
	const isList = status < 300 && Array.isArray(members) && members.every(isPersonal);

	beforeEach(() => {
		scene.faults({
			kind: 'status',
			status,
			body: (body as Body | undefined) ?? 'html',
			headers: {
				...(headers['content-type'] && { 'content-type': headers['content-type'] }),
				...(headers.location && { location: headers.location }),
			},
		});
	});

	const expectExplained = (error: { message: string; description?: string | null | undefined }) => {
		const told = `${error.message} ${error.description}`;
		if (status < 300) {
			expect(error.message).toContain('cannot be read');
			const names = isObject(body) ? Object.keys(body).slice(0, 12) : [];
			for (const name of names) expect(told).toContain(`"${name}"`);
			for (const value of valuesIn(body)) expect(told).not.toContain(value);
			return;
		}
		const { detail = '', violations } = (body ?? {}) as { detail?: string; violations?: Body[] };
		const isRouting = isObject(body) && String(body.type).includes('rfc2616');
		const said = violations?.map(({ message }) => String(message)) ?? [detail.slice(0, 60)];
		if (isRouting) expect(told).toContain('no endpoint');
		else for (const text of said) expect(told).toContain(text.replace(/\.$/, ''));
	};

	it('From a recorded answer, Get gives the person, or an error explaining the answer', async () => {
		const { items, error } = await scene.person('get', { personId: locator(id ?? 'x') });
		if (error) expectExplained(error);
		expect(items.map(({ json }) => json.id)).toEqual(isPerson ? [id] : []);
		expect(error === undefined).toBe(isPerson);
	});

	it('From a recorded answer, Get Many gives the list, or an error explaining it', async () => {
		const { items, error } = await scene.person('getAll', { limit: 30, output: 'raw' });
		if (error) expectExplained(error);
		expect(items).toHaveLength(isList ? (members as unknown[]).length : 0);
		expect(error === undefined).toBe(isList);
	});

	it('From a recorded answer, Create gives the person, or an error explaining the answer', async () => {
		const { items, error } = await scene.person('create', { familyName: 'Vos' });
		if (error) expectExplained(error);
		expect(items.map(({ json }) => json.id)).toEqual(isPerson ? [id] : []);
		expect(error === undefined).toBe(isPerson);
	});
});

/*
 * Answers in forms that the interface does not rule out. None may cause lost, doubled or wrong data. If the node
 * cannot read an answer, the error must say how to go on.
 */
const UUID = '1f0c3b52-7d0e-4c7a-9a55-0b6f8d1c2e3f';

describe('a person whom the service shows in an unusual form', () => {
	const scene = useScene();
	/** Reads a person; the service answers with these fields. */
	const read = async (fields: object, personId = 'x') => {
		scene.faults(answer({ '@id': '/people/x', id: 'x', ...fields }));
		const { items, error } = await scene.person('get', { personId: locator(personId) });
		expect(error).toBeUndefined();
		return items[0].json;
	};

	it('The output shows an embedded segment by title, or else by ID', async () => {
		const { segments } = await read({ segments: [{ id: 'a41b', title: 'Red, hot' }, { id: 'x' }] });
		expect(segments).toBe('Red hot, x');
	});

	it('Get takes a UUID in capital letters although the service answers with small letters', async () => {
		const { id } = await read({ '@id': `/people/${UUID}`, id: UUID }, UUID.toUpperCase());
		expect(id).toBe(UUID);
	});

	it('Add Tags and Remove Tags recognise a tag by its UUID in capital letters', async () => {
		const tags = [`/tags/${UUID}`, '/tags/a1'];
		scene.faults(answer({ '@id': '/people/x', id: 'x', tags }));
		const change = async (operation: string) =>
			await scene.person(operation, { personId: locator('x'), tags: [UUID.toUpperCase()] });
		const { items } = await change('addTags');
		expect(items[0].json.result).toBe('unchanged');
		scene.clear();
		await change('removeTags');
		expect(scene.sent().at(-1)).toMatchObject({ method: 'PATCH', body: { tags: ['/tags/a1'] } });
	});

	it('Create or Update writes nothing if the service shows equal values as text', async () => {
		const eva = {
			'@id': '/people/x',
			id: 'x',
			emailAddresses: [{ email: 'eva@example.com' }],
			dealSize: '2500',
			isTracked: '1',
		};
		scene.faults(answer({ member: [eva] }));
		const { items, error } = await scene.person('upsert', {
			email: 'eva@example.com',
			additionalFields: { dealSize: 2500, isTracked: true },
		});
		expect(error).toBeUndefined();
		expect(items[0].json.result).toBe('unchanged');
	});

	it.each(['tags', 'segments'])(
		"If a person's %s are null, adding an entry fails and writes nothing",
		async (field) => {
			scene.faults(answer({ '@id': '/people/x', id: 'x', [field]: null }));
			const operation = field === 'tags' ? 'addTags' : 'addToSegments';
			const { error } = await scene.person(operation, {
				personId: locator('x'),
				[field]: [`/${field}/a1`],
			});
			expect(error?.description).toContain('Nothing was written');
			expect(scene.requests()).toHaveLength(1);
		},
	);
});

describe('a list whose entries are no records', () => {
	const scene = useScene();
	it.each([
		['records without an ID', [{ familyName: 'Jansen' }]],
		['null', [null]],
		['lists', [['a']]],
	])('Get Many with IDs Only fails if the entries of the list are %s', async (_, member) => {
		scene.faults(answer({ member }));
		const { items, error } = await scene.person('getAll', { output: 'identifiers' });
		expect(items).toEqual([]);
		expect(error?.message).toBe('The answer of the service cannot be read (HTTP 200)');
		expect(error?.description).not.toBe('');
	});
});
