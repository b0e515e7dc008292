import type {
	IAuthenticateRuleResponseCode,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
	Icon,
} from 'n8n-workflow';
import { ExplainedError } from '../nodes/ContactTaskCrm/common/errors';
import { checkedApiKey } from '../nodes/ContactTaskCrm/transport/apiKey';
import { checkedBaseUrl, liesAt } from '../nodes/ContactTaskCrm/transport/baseUrl';

/**
 * Adds the key to a request, and only to one that goes to the credential's own address over HTTPS
 * (interface, section 5): neither a link in an answer nor a node that lends this credential can
 * carry the key elsewhere.
 *
 * @throws Error for a base URL or key that cannot be used, and for any other address; n8n shows its
 *   message alone
 */
export async function authenticate(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const { baseUrl, apiKey } = inOneText(() => ({
		baseUrl: checkedBaseUrl(credentials.baseUrl),
		apiKey: checkedApiKey(credentials.apiKey),
	}));
	const url = addressOfRequest(requestOptions);
	if (!liesAt(baseUrl, url)) {
		throw new Error(
			`The API key is sent to ${new URL(baseUrl).origin} alone, and this request goes to ${originShown(url)}. Correct the URL, or the Base URL in the credential`,
		);
	}
	return {
		...requestOptions,
		...NO_REDIRECTS,
		headers: { ...requestOptions.headers, 'X-API-KEY': apiKey },
	};
}

function inOneText<T>(check: () => T): T {
	try {
		return check();
	} catch (error) {
		throw new Error(error instanceof ExplainedError ? error.text : String(error));
	}
}

/** For the helpers of today and for the one that the HTTP Request node still uses. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/**
 * Where the HTTP client will send a request. It puts a relative URL behind the base URL as it is,
 * unlike a browser; and the HTTP Request node names its URL "uri".
 */
function addressOfRequest(requestOptions: IHttpRequestOptions & { uri?: unknown }): string {
	const { url, uri, baseURL } = requestOptions;
	const target = String(url ?? uri ?? '');
	const isAbsolute = /^([a-z][a-z\d+\-.]*:)?\/\//i.test(target);
	if (isAbsolute || !baseURL) return target;
	return target === '' ? baseURL : `${baseURL.replace(/\/?\/$/, '')}/${target.replace(/^\/+/, '')}`;
}

function originShown(url: string): string {
	try {
		return new URL(url).origin;
	} catch {
		return 'an address that is not complete';
	}
}

/** What the credential test says of an answer with this status. */
function whenAnswered(value: number, message: string): IAuthenticateRuleResponseCode {
	return { type: 'responseCode', properties: { value, message } };
}

/** Says that a web page was answered with success: n8n looks into text for its first letter. */
const WEB_PAGE = {
	type: 'responseSuccessBody',
	properties: {
		key: '0',
		value: '<',
		message:
			'The Base URL answers with a web page, and not as the CRM interface. Check its path, and enter the address of the interface',
	},
	// n8n takes rules of both kinds in one list; its types have one kind or the other.
} as unknown as IAuthenticateRuleResponseCode;

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
		// Without these the editor shows the status in the words of HTTP, such as "Unauthorized".
		rules: [
			whenAnswered(
				401,
				'The service did not accept the API key. Check API Key and Base URL; an administrator of the CRM creates keys',
			),
			whenAnswered(
				403,
				'The API key has no permission to read segments. Ask an administrator of the CRM for a key that may',
			),
			whenAnswered(
				404,
				'There is no CRM interface at the Base URL. Check its path, and enter the address without the path of a record',
			),
			WEB_PAGE,
			whenAnswered(
				429,
				'The requests of this minute are used up, so the key could not be tested. Try again in a minute',
			),
		],
	};
}
