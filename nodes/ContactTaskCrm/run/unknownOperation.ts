import { UnusableParameter } from '../util/errors';
import { paginatorOf } from './paginator';
import { quoted } from '../values/text';

/**
 * Refuses an operation that the node does not have, because the engine would otherwise send a request without a path.
 * Somebody may have written the workflow by hand or for a later version, or have chosen n8n's "Custom API Call".
 */
export const runUnknownOperation = paginatorOf({
	run: async ({ context }) => {
		const [resource, operation] = ['resource', 'operation'].map((name) => {
			const value: unknown = context.getNodeParameter(name, '');
			return typeof value === 'string' ? value : '';
		});
		const message =
			operation === '__CUSTOM_API_CALL__'
				? 'Operation is Custom API Call, which is no operation of this node'
				: `Operation: there is no operation ${quoted(operation)} of the resource ${quoted(resource)}`;
		const advice =
			'Choose from the list. For a request of your own, choose the resource API Request';
		throw new UnusableParameter(message, advice);
	},
});
