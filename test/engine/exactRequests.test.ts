import { mapValues } from 'lodash';
import type { INodePropertyOptions } from 'n8n-workflow';
import { EXACT_REQUESTS, NOW } from './support/exactRequests';
import { excuse } from './support/recordExchanges';
import { nodeTypes, PACKAGE_NODE } from './support/runNode';
import { useScene } from './support/scene';

describe('the requests of each operation', () => {
	const scene = useScene();

	it('The table of exact requests names every operation that the node offers', async () => {
		const { properties } = (await nodeTypes()).getByNameAndVersion(PACKAGE_NODE).description;
		const offered = properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ displayOptions, options }) =>
				(displayOptions?.show?.resource ?? []).flatMap((resource) =>
					(options as INodePropertyOptions[]).map(({ value }) => `${String(resource)} ${value}`),
				),
			);
		expect(Object.keys(EXACT_REQUESTS).sort()).toEqual(offered.sort());
	});

	it.each(Object.entries(EXACT_REQUESTS))(
		'The operation %s sends exactly the expected requests',
		async (name, [parameters, ...expected]) => {
			if (name === 'apiRequest send') excuse('requests', 'a user writes the whole request');
			const [resource, operation] = name.split(' ') as ['person', string];
			const startedAt = Date.now();
			const { error } = await scene[resource](operation, parameters);
			expect(error).toBeUndefined();
			const endedAt = Date.now();
			/** Replaces a time in UTC within the run. Only steps of virtual time pass there, so no other time fits. */
			const orNow = (value: unknown) => {
				const time = /T.+Z$/.test(String(value)) ? Date.parse(String(value)) : NaN;
				return time >= startedAt && time <= endedAt ? NOW : value;
			};
			const sent = scene
				.sent()
				.map(({ body, ...one }) => ({ ...one, body: body && mapValues(body, orNow) }));
			expect(sent).toEqual(expected);
		},
	);
});
