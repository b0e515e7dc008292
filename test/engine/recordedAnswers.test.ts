import { exchangesOf, FILES, type Exchange } from '../unit/service/recorded/exchanges';
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
	FORMS.map((exchange) => [exchange.response.status, exchange.name, exchange] as const),
)('an answer of %s, as to "%s"', (status, _, { response: { body, headers } }) => {
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

	it('Get reads a person in a recorded answer of a real application, or the error explains the answer', async () => {
		const { items, error } = await scene.person('get', { personId: locator(id ?? 'x') });
		if (error) expectExplained(error);
		expect(items.map(({ json }) => json.id)).toEqual(isPerson ? [id] : []);
		expect(error === undefined).toBe(isPerson);
	});

	it('Get Many reads a list in a recorded answer of a real application, or the error explains the answer', async () => {
		const { items, error } = await scene.person('getAll', { limit: 30, output: 'raw' });
		if (error) expectExplained(error);
		expect(items).toHaveLength(isList ? (members as unknown[]).length : 0);
		expect(error === undefined).toBe(isList);
	});

	it('Create reads a person in a recorded answer of a real application, or the error explains the answer', async () => {
		const { items, error } = await scene.person('create', { familyName: 'Vos' });
		if (error) expectExplained(error);
		expect(items.map(({ json }) => json.id)).toEqual(isPerson ? [id] : []);
		expect(error === undefined).toBe(isPerson);
	});
});
