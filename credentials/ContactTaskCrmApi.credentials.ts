import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
	Icon,
} from 'n8n-workflow';
import { checkedBaseUrl, liesAt } from '../nodes/ContactTaskCrm/transport/baseUrl';

/**
 * Adds the key to a request, and only to one that goes to the credential's own address over HTTPS
 * (interface, section 5): neither a link in an answer nor a node that lends this credential can
 * carry the key elsewhere.
 *
 * @throws UnusableBaseUrl for a base URL that cannot be used
 * @throws Error for any other address
 */
export async function authenticate(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const baseUrl = checkedBaseUrl(credentials.baseUrl);
	const apiKey = String(credentials.apiKey ?? '').trim();
	if (apiKey === '') {
		throw new Error(
			'The API Key is empty. Open the credential and enter a key; an administrator of the CRM creates one',
		);
	}
	const url = new URL(requestOptions.url, requestOptions.baseURL ?? baseUrl).href;
	if (!liesAt(baseUrl, url)) {
		throw new Error(
			`The API key is sent to ${new URL(baseUrl).origin} alone, and this request goes to ${new URL(url).origin}. Correct the URL, or the Base URL in the credential`,
		);
	}
	return {
		...requestOptions,
		disableFollowRedirect: true,
		headers: { ...requestOptions.headers, 'X-API-KEY': apiKey },
	};
}

export class ContactTaskCrmApi implements ICredentialType {
	name = 'contactTaskCrmApi';

	displayName = 'Contact Task CRM API';

	icon: Icon = {
		light: 'file:../icons/contactTaskCrm.svg',
		dark: 'file:../icons/contactTaskCrm.dark.svg',
	};

	documentationUrl = 'https://github.com/contact-task-crm/n8n-nodes-contact-task-crm#credentials';

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
			default: 20,
			description:
				'How many requests the service allows your whole company in 60 seconds. Enter less to leave room for other programs that use it',
		},
	];

	authenticate = authenticate;

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl}}',
			url: '/segments?itemsPerPage=1',
			headers: { Accept: 'application/ld+json' },
		},
	};
}
