// Entry point for programs that load the built classes without n8n. n8n reads the field "n8n" of package.json instead.
const { ContactTaskCrm } = require('./dist/nodes/ContactTaskCrm/ContactTaskCrm.node.js');
const {
	ContactTaskCrmTrigger,
} = require('./dist/nodes/ContactTaskCrm/ContactTaskCrmTrigger.node.js');
const { ContactTaskCrmApi } = require('./dist/credentials/ContactTaskCrmApi.credentials.js');

module.exports = { ContactTaskCrm, ContactTaskCrmTrigger, ContactTaskCrmApi };
