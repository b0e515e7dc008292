import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
	Icon,
} from 'n8n-workflow';
import { asExplained } from '../nodes/ContactTaskCrm/util/errors';
import {
	API_KEY_HEADER,
	checkedApiKey,
	checkedBaseUrl,
	liesAt,
} from '../nodes/ContactTaskCrm/http/credential';
import { DEFAULT_LIMIT } from '../nodes/ContactTaskCrm/schema/limits';

/**
 * Adds the key only to a request that goes to the credential's Base URL (interface, section 5). A link in an answer, or
 * another node with this credential, therefore cannot send the key elsewhere.
 *
 * @throws Error for an unusable base URL or key, and for a request that does not go to the base URL. n8n shows only the
 *   message of the error, so the message also holds the advice
 */
async function authenticate(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const { baseUrl, apiKey } = inOneText(() => ({
		baseUrl: checkedBaseUrl(credentials.baseUrl),
		apiKey: checkedApiKey(credentials.apiKey),
	}));
	const url = addressOfRequest(requestOptions);
	if (!liesAt(baseUrl, url)) {
		const shown = URL.canParse(url) ? new URL(url).origin : 'an address that is not complete';
		throw new Error(
			`The API key is sent to ${new URL(baseUrl).origin} alone, and this request goes to ${shown}. Correct the URL, or the Base URL in the credential`,
		);
	}
	return {
		...requestOptions,
		...NO_REDIRECTS,
		headers: { ...requestOptions.headers, [API_KEY_HEADER]: apiKey },
	};
}

function inOneText<T>(check: () => T): T {
	try {
		return check();
	} catch (error) {
		throw new Error(asExplained(error).text);
	}
}

/**
 * Options that turn off redirects, because the HTTP client would send the key to the new address.
 * `disableFollowRedirect` is for n8n's request helpers. The other options are for the older helper of the HTTP Request
 * node.
 */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/**
 * Returns the URL that n8n's HTTP client will call. A browser resolves a relative URL, but the client appends it to
 * `baseURL`. Example: `/people` with the `baseURL` https://crm.example.com/api gives
 * https://crm.example.com/api/people. The HTTP Request node calls its URL `uri`.
 */
function addressOfRequest(requestOptions: IHttpRequestOptions & { uri?: unknown }): string {
	const { url, uri, baseURL } = requestOptions;
	const target = String(url ?? uri ?? '');
	const isAbsolute = /^([a-z][a-z\d+\-.]*:)?\/\//i.test(target);
	if (isAbsolute || !baseURL) return target;
	return `${baseURL.replace(/\/?\/$/, '')}/${target.replace(/^\/+/, '')}`;
}

export class ContactTaskCrmApi implements ICredentialType {
	name = 'contactTaskCrmApi';

	displayName = 'Contact Task CRM API';

	icon: Icon = {
		light: 'file:../icons/contactTaskCrm.svg',
		dark: 'file:../icons/contactTaskCrm.dark.svg',
	};

	documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-contact-task-crm';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://crm.example.com',
			description: 'Address of your CRM interface, with https://',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'Created by an administrator of the CRM in its administration area',
		},
		{
			displayName: 'Requests per Minute',
			name: 'requestsPerMinute',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 1000 },
			default: DEFAULT_LIMIT,
			description:
				'How many requests the service allows your whole company in 60 seconds. Enter less to leave room for other programs that use it',
		},
		{
			displayName: 'Names of Users and Tags',
			name: 'names',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			placeholder: 'e.g. /users/3f2a = Eva de Vries',
			description:
				'One a line: the ID as the output shows it, such as /users/3f2a = Eva de Vries or /tags/7c1e = VIP',
		},
	];

	authenticate = authenticate;
}
