// For programs that load the built classes without n8n. n8n itself goes by the "n8n" field of package.json.
const { ContactTaskCrm } = require('./dist/nodes/ContactTaskCrm/ContactTaskCrm.node.js');
const {
	ContactTaskCrmTrigger,
} = require('./dist/nodes/ContactTaskCrm/ContactTaskCrmTrigger.node.js');
const { ContactTaskCrmApi } = require('./dist/credentials/ContactTaskCrmApi.credentials.js');

module.exports = { ContactTaskCrm, ContactTaskCrmTrigger, ContactTaskCrmApi };
