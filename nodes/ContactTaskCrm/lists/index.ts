export { credentialTest } from './credentialTest';
export { listSearch } from './listSearch';
export { loadOptions } from './loadOptions';
export { resourceMapping } from './tableColumns';
