import { mapKeys } from 'lodash';
import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { type Resource, shownFor } from './operations';
import { choices, collection, parameter } from './parameters';

const COMMON_OPTIONS = [
	parameter('maxWaitMinutes', 'number', {
		label: 'Max Wait (Minutes)',
		typeOptions: { minValue: 0, numberPrecision: 2 },
		default: 30,
		description:
			'How many minutes to go on trying while the CRM refuses every request, such as 30 or 0.5. Waiting for a turn in a long run does not count.',
	}),
	parameter('whenFilterEmpty', 'options', {
		label: 'When a Filter Is Empty',
		default: 'fail',
		description:
			'What to do when the expression of a filter gives nothing. As the tool of an AI agent, the node always ignores such a filter.',
		displayOptions: {
			show: { '/operation': ['getAll'], '/resource': ['person', 'task', 'workspace'] },
		},
		options: choices({
			fail: 'Ask for nothing: without the filter, all records would be returned',
			ignore: 'Go on as if the filter was not there, as for a form with optional fields',
		}),
	}),
	parameter('whenRateLimited', 'options', {
		default: 'wait',
		description: 'What to do when the CRM takes no further request for now',
		options: choices({
			fail: 'Stop at once and say how long the wait is',
			wait: 'Wait for the next turn and go on',
		}),
	}),
	parameter('previewOnly', 'boolean', {
		default: true,
		description:
			'Whether to say what each item would change, and to write nothing. What earlier items would change is taken into account. A real run stops at a refused row, unless Settings → On Error continues.',
		displayOptions: { hide: { '/operation': ['get', 'getAll', 'findDuplicates'] } },
	}),
];

/** Returns the option Tell What Changed, for the operations that read the record only if the user asks. */
export function readOptions(resource: Resource): INodeProperties[] {
	const asked = resource.operations.filter(({ reads }) => reads === 'ifAsked');
	return shownFor(resource, asked, ({ always: displayOptions }) => [
		parameter('tellChanges', 'boolean', {
			label: 'Tell What Changed',
			default: true,
			description:
				'Whether the result gives the earlier value of each field. This takes one more request for each item. If the node reads the record anyway, the result always gives them.',
			displayOptions,
		}),
	]);
}

/** Returns the option Approved Changes, for operations with a preview of changes. */
export function approvalOptions(resource: Resource): INodeProperties[] {
	const { operations, record } = resource;
	const foreseen = operations.filter(
		({ reads, takes, url }) => reads || (takes && url === record.collection),
	);
	return shownFor(resource, foreseen, ({ always: displayOptions }) => [
		parameter('approvedChanges', 'json', {
			default: '',
			example: '{{ $json.changes }}',
			description:
				'The changes that somebody has approved, such as the field changes of a preview. An item that would change anything else is refused. The node reads the record first.',
			displayOptions,
		}),
	]);
}

/** Names of top-level parameters. The display conditions of an option have to name them with a leading "/". */
const TOP_LEVEL = ['resource', 'operation', 'inputMode'];

/**
 * Returns the parameter Options.
 *
 * @param own options that only some operations have. Their display conditions name top-level parameters without "/",
 *   which this function adds
 */
export function options(own: readonly INodeProperties[]): INodeProperties {
	const withSlashes = (conditions: NonNullable<IDisplayOptions['show']>) =>
		mapKeys(conditions, (_, name) => (TOP_LEVEL.includes(name) ? `/${name}` : name));
	const entries = own.map(({ displayOptions: { show, hide } = {}, ...entry }) => ({
		...entry,
		displayOptions: {
			...(show && { show: withSlashes(show) }),
			...(hide && { hide: withSlashes(hide) }),
		},
	}));
	const description = 'What the node gives back, and what it does when the CRM is busy';
	return collection('options', 'Add Option', description, [...COMMON_OPTIONS, ...entries]);
}
