/* eslint-disable @n8n/community-nodes/no-restricted-imports -- writes a document of the repository */
import { writeFileSync } from 'node:fs';
// With its extension, because otherwise the codex file with the same name would be loaded.
import { ContactTaskCrm } from '../../nodes/ContactTaskCrm/ContactTaskCrm.node.js';
import { ContactTaskCrmTrigger } from '../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node.js';
import { DOCUMENT, parametersDocument } from './document';

writeFileSync(
	DOCUMENT,
	parametersDocument(new ContactTaskCrm().description, new ContactTaskCrmTrigger().description),
);
