/**
 * Changes how the stand-in service behaves.
 * @param {import('../service.mjs').Service} service
 * @param {object} switches as in test/service/README.md
 */
export async function setSwitches({ address }, switches) {
	const response = await fetch(`${address}/_control/switches`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(switches),
	});
	if (!response.ok) throw new Error(`The service took no switches: ${await response.text()}`);
}

/** Uses up all requests of the minute, as another program of the same company would. */
export async function useUpTheLimit({ address, apiKey }) {
	for (let status = 200; status !== 429; ) {
		({ status } = await fetch(`${address}/segments`, { headers: { 'x-api-key': apiKey } }));
	}
}
