/* eslint-disable @n8n/community-nodes/no-restricted-imports -- writes documents of the repository */
import { writeFileSync } from 'node:fs';
import { ContactTaskCrmApi } from '../../credentials/ContactTaskCrmApi.credentials';
// With its extension, because otherwise the codex file with the same name would be loaded.
import { ContactTaskCrm } from '../../nodes/ContactTaskCrm/ContactTaskCrm.node.js';
import { ContactTaskCrmTrigger } from '../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node.js';
import { DOCUMENT, parametersDocument } from './document';
import { TEXTS, textsDocument } from './texts';

const node = new ContactTaskCrm().description;
const trigger = new ContactTaskCrmTrigger().description;
writeFileSync(DOCUMENT, parametersDocument(node, trigger));
writeFileSync(TEXTS, textsDocument(node, trigger, new ContactTaskCrmApi()));
