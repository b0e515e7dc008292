import { lazily } from '../util/lazily';
import type { credentialTest as tests } from './credentialTest';
import type { listSearch as searches } from './listSearch';
import type { loadOptions as loaders } from './loadOptions';
import type { resourceMapping as mappings } from './tableColumns';

/* The methods that the editor calls by name. The first call of a method loads its code. */

const test = (name: keyof typeof tests) =>
	lazily(async () => (await import('./credentialTest')).credentialTest[name]);

const search = (name: keyof typeof searches) =>
	lazily(async () => (await import('./listSearch')).listSearch[name]);

const load = (name: keyof typeof loaders) =>
	lazily(async () => (await import('./loadOptions')).loadOptions[name]);

const map = (name: keyof typeof mappings) =>
	lazily(async () => (await import('./tableColumns')).resourceMapping[name]);

export const credentialTest = { testCredential: test('testCredential') };

export const listSearch = {
	searchColumns: search('searchColumns'),
	searchComments: search('searchComments'),
	searchHistory: search('searchHistory'),
	searchPeople: search('searchPeople'),
	searchSegments: search('searchSegments'),
	searchTasks: search('searchTasks'),
	searchUsers: search('searchUsers'),
	searchWorkspaces: search('searchWorkspaces'),
};

export const loadOptions = {
	getOwners: load('getOwners'),
	getSegments: load('getSegments'),
	getTags: load('getTags'),
};

export const resourceMapping = {
	getPersonColumns: map('getPersonColumns'),
	getTaskColumns: map('getTaskColumns'),
};
