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

/**
 * Asks the service as another program of the same company would.
 * @param {import('../service.mjs').Service} service
 */
export async function ask({ address, apiKey }, method, path, body) {
	const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/ld+json';
	const response = await fetch(`${address}${path}`, {
		method,
		headers: { 'x-api-key': apiKey, accept: 'application/ld+json', 'content-type': type },
		...(body ? { body: JSON.stringify(body) } : {}),
	});
	if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
	return await response.json();
}

/** All records of a list. */
export async function askForAll(service, path) {
	const records = [];
	for (let next = `${path}?itemsPerPage=30`; next; ) {
		const { member, view } = await ask(service, 'GET', next);
		records.push(...member);
		next = view.next;
	}
	return records;
}
