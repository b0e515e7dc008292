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

	/** @param phrase words for one record in descriptions of operations: "a segment (list of people)" */
	constructor(
		private readonly record: RecordSpecification,
		private readonly phrase = `a ${record.noun}`,
	) {
		this.url = `${record.collection}/{${record.locator}}`;
	}

	/**
	 * Returns an operation with the properties of `own`. By default, `name` and `action` follow from `value`, and `url` is
	 * the path of one record.
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

	/** @param first names of optional fields that the editor shows at the top level, not in Additional Fields */
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
	 * Returns an operation that changes one record, with the properties of `own`. By default, the operation sends PATCH. It
	 * reads the record first only if the user asks, such as by Tell What Changed.
	 */
	change(own: Own<'run'>): Operation {
		return this.operation({ method: 'PATCH', reads: 'ifAsked', ...own });
	}

	update(): Operation {
		return this.change({
			value: 'update',
			description: `Change some fields of ${this.phrase} and keep the others`,
			run: this.writer('update', { required: [] }),
			takes: { body: 'update', fields: 'updateFields', columns: 'add' },
		});
	}

	/** @param first names of optional fields that the editor shows at the top level, not in Additional Fields */
	replace(first: readonly string[] = []): Operation {
		return this.operation({
			value: 'replace',
			description: `Replace all fields of ${this.phrase}; fields that are not given are reset`,
			method: 'PUT',
			reads: 'ifAsked',
			run: this.writer('update'),
			takes: { body: 'update', fields: 'requiredAtTop', first },
		});
	}

	/**
	 * Returns an operation that sets a field to a point in time, such as Archive. If the user gives no time, the field gets
	 * the present time.
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

	/** Returns an operation that always sets a field to one value. Unarchive, for example, sets `archivedAt` to null. */
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
		const description = `Mark ${this.phrase} as archived`;
		return this.setNow('archivedAt', { value: 'archive', description });
	}

	unarchive(): Operation {
		const description = `Take ${this.phrase} back from the archive`;
		return this.setTo('archivedAt', null, { value: 'unarchive', description });
	}
}
