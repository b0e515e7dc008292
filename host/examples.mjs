import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { examplesFolder } from './paths.mjs';

const READ_FILE_NODE = 'n8n-nodes-base.readWriteFile';

/** The file name of each example, by a short name. */
export const EXAMPLES = {
	importContacts: '01-import-contacts-from-csv.json',
	listPeople: '02-list-people.json',
};

/** The contacts that the main example imports. */
export const contactsFile = join(examplesFolder, 'contacts.csv');

const readExample = async (file) => JSON.parse(await readFile(join(examplesFolder, file), 'utf8'));

/**
 * Reads an example workflow and lets it read its files from the examples folder.
 * @param {string} file
 */
export async function readWorkflow(file) {
	const workflow = await readExample(file);
	for (const { type, parameters } of workflow.nodes) {
		if (type === READ_FILE_NODE) parameters.fileSelector = contactsFile;
	}
	return workflow;
}

/**
 * Reads the example credential and points it at a service.
 * @param {{ address: string, apiKey: string }} service
 */
export async function readCredentials({ address, apiKey }) {
	const credentials = await readExample('credential.json');
	return credentials.map((credential) => ({
		...credential,
		data: { ...credential.data, baseUrl: address, apiKey },
	}));
}
