import type { IDataObject } from 'n8n-workflow';
import type { Body } from '../schema/field';
import { operationLabel } from '../schema/label';
import type { OwnOfBody } from '../input/specification';
import { lazily } from '../util/lazily';
import type { Operation } from '../ui/operations';
import { parameter, required, withSentence } from '../ui/parameters';
import type { Paginator } from '../run/paginator';
import type { RecordSpecification } from '../output/specification';

/** Properties that an operation defines itself. If `name` or `action` is absent, `Verbs` derives it from `value`. */
type Own<Given extends keyof Operation = never> = Partial<Operation> &
	Pick<Operation, 'value' | 'description' | Given>;

/** Makes the operations of one kind of record. */
export class Verbs {
	/** Path template of one record. */
	readonly url: string;

	/** @param one phrase for one record in descriptions: "a segment (list of people)" */
	constructor(
		private readonly record: RecordSpecification,
		private readonly one = `a ${record.noun}`,
	) {
		this.url = `${record.collection}/{${record.locator}}`;
	}

	/**
	 * Returns an operation. Unless `own` differs, its name and action follow from its `value`, and its URL is the URL
	 * of one record.
	 */
	operation(own: Own<'method' | 'run'>): Operation {
		const { value, name = operationLabel(value) } = own;
		const action = `${name.charAt(0)}${name.slice(1).toLowerCase()} ${this.record.noun}`;
		return { name, action, url: this.url, ...own };
	}

	/**
	 * Returns the function that runs an operation with a body. n8n's engine calls it as the operation's paginator.
	 *
	 * @param own rules for the body that hold for this operation alone, such as the required fields
	 */
	writer(body: Body, own?: OwnOfBody): Paginator {
		return lazily(async () => {
			const { specifyBody } = await import('../input/specification');
			const { runWrite } = await import('../run/record');
			return runWrite(this.record, specifyBody(this.record, body, own));
		});
	}

	/** @param first names of optional fields at the top level */
	create(description: string, first: readonly string[] = []): Operation {
		return this.operation({
			value: 'create',
			description,
			method: 'POST',
			url: this.record.collection,
			run: this.writer('create'),
			takes: { body: 'create', fields: 'requiredAtTop', first, columns: 'add' },
		});
	}

	get(description: string): Operation {
		const run = lazily(async () => (await import('../run/record')).runGet(this.record));
		return this.operation({ value: 'get', description, method: 'GET', run });
	}

	getAll(description: string): Operation {
		return this.operation({
			value: 'getAll',
			name: 'Get Many',
			action: `Get many ${this.record.plural}`,
			description,
			method: 'GET',
			url: this.record.collection,
			run: lazily(async () => (await import('../run/list')).runGetAll(this.record)),
			gives: 'list',
		});
	}

	/**
	 * Returns an operation that changes one record. Unless `own` differs, the operation sends PATCH, and reads the
	 * record first only if the user asks.
	 */
	change(own: Own<'run'>): Operation {
		return this.operation({ method: 'PATCH', reads: 'ifAsked', ...own });
	}

	update(): Operation {
		return this.change({
			value: 'update',
			description: `Change some fields of ${this.one} and keep the others`,
			run: this.writer('update', { required: [] }),
			takes: { body: 'update', fields: 'updateFields', columns: 'add' },
		});
	}

	/** @param first names of optional fields at the top level */
	replace(first: readonly string[] = []): Operation {
		return this.operation({
			value: 'replace',
			description: `Replace all fields of ${this.one}; fields that are not given are reset`,
			method: 'PUT',
			reads: 'ifAsked',
			run: this.writer('update'),
			takes: { body: 'update', fields: 'requiredAtTop', first },
		});
	}

	/**
	 * Returns an operation that sets a field to a point in time. Without a value from the user, it sets the present
	 * time.
	 */
	setNow(field: string, own: Own): Operation {
		return this.change({
			...own,
			run: this.writer('update', { required: [], nowWhereEmpty: [field] }),
			parameters: ({ always: displayOptions }, parameter) => {
				const point = withSentence(parameter(field), 'Empty means now');
				return [{ ...point, displayOptions }];
			},
		});
	}

	/** Returns an operation that always sets a field to one value, such as null to empty it. */
	setTo(field: string, value: IDataObject[string], own: Own): Operation {
		const run = this.writer('update', { required: [], fixed: { [field]: value } });
		return this.change({ ...own, run });
	}

	/** Returns the operation that reverses the changes of an earlier run. Its input is the output of that run. */
	undo(): Operation {
		const { plural } = this.record;
		return this.operation({
			value: 'undo',
			description: `Turn back what a run of this node did with ${plural}, given its output`,
			action: `Undo run over ${plural}`,
			method: 'PATCH',
			isOfItem: true,
			reads: 'always',
			run: lazily(async () => (await import('../run/undo')).runUndo(this.record)),
			parameters: ({ always }) => [
				required(
					parameter('outputItem', 'json', {
						default: '={{ $json }}',
						example: '{{ $json }}',
						description:
							'An item that the run put out, such as the input item. It needs its result, its ID and its changes.',
					}),
					always,
				),
			],
		});
	}

	archive(): Operation {
		const description = `Mark ${this.one} as archived`;
		return this.setNow('archivedAt', { value: 'archive', description });
	}

	unarchive(): Operation {
		const description = `Take ${this.one} back from the archive`;
		return this.setTo('archivedAt', null, { value: 'unarchive', description });
	}
}
