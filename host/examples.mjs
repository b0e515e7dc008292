import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { examplesFolder } from './paths.mjs';

/** Folder of the files in the examples, until the user enters another path. */
const FILES = '/home/node/.n8n-files';

/** The file name of each example, by a short name. */
export const EXAMPLES = {
	importContacts: '01-import-contacts-from-csv.json',
	listPeople: '02-list-people.json',
	followUpDeals: '03-follow-up-task-for-new-deals.json',
	moveByForm: '04-move-task-when-form-answered.json',
	weeklyReport: '05-weekly-report-of-open-tasks.json',
	segmentToFile: '06-sync-segment-to-spreadsheet.json',
	contactAgent: '07-agent-that-knows-your-contacts.json',
	followUpWon: '08-follow-up-task-when-deal-is-won.json',
	undoRun: '09-undo-a-run.json',
	approveFirst: '10-approve-changes-first.json',
	mergeDuplicates: '11-find-and-merge-duplicates.json',
};

/** The contacts that the main example imports. */
export const contactsFile = join(examplesFolder, 'contacts.csv');

/** Output of a run that the demo can undo. Its people are those of the stand-in. */
const runToUndoFile = join(examplesFolder, 'run-to-undo.json');

const readExample = async (file) => await readFile(join(examplesFolder, file), 'utf8');

/** Returns a text as it stands in a JSON string, without the quotes. */
const quoted = (text) => JSON.stringify(text).slice(1, -1);

/**
 * Reads an example workflow, and replaces its input files by those of the examples folder.
 * @param {string} file
 * @param {{ fileFolder?: string, contacts?: string }} [options] where it writes its files, and which contacts it imports
 */
export async function readWorkflow(file, { fileFolder = FILES, contacts = contactsFile } = {}) {
	const text = await readExample(file);
	return JSON.parse(
		text
			.replaceAll(`${FILES}/contacts.csv`, quoted(contacts))
			.replaceAll(`${FILES}/run-to-undo.json`, quoted(runToUndoFile))
			.replaceAll(FILES, quoted(fileFolder)),
	);
}

/**
 * Reads the example credential and points it at a service.
 * @param {{ address: string, apiKey: string }} service
 */
export async function readCredentials({ address, apiKey }) {
	const credentials = JSON.parse(await readExample('credential.json'));
	return credentials.map((credential) => ({
		...credential,
		data: { ...credential.data, baseUrl: address, apiKey },
	}));
}

/**
 * Returns a credential for the agent's chat model that points to the stand-in.
 * @param {{ address: string }} model
 */
export function modelCredential({ address }) {
	return {
		id: 'openAiDemo',
		name: 'OpenAI',
		type: 'openAiApi',
		data: { apiKey: 'none', url: address },
	};
}
