import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { UnrecognizedCredentialTypeError } from 'n8n-core';
import { UnexpectedError } from 'n8n-workflow';
import type { Service } from '../../service';

/**
 * Replaces n8n's database of credentials, because n8n-core has none. It returns the given data, and signs requests
 * with the credential type's own `authenticate`, like n8n.
 */
export class GivenCredentials {
	constructor(
		private readonly loaded: { credentialTypes: Readonly<Record<string, ICredentialType>> },
		private readonly data: ICredentialDataDecryptedObject,
	) {}

	/** Returns the credentials of a service. `otherwise` has the values that a test changes. */
	static of(
		loaded: GivenCredentials['loaded'],
		{ url, apiKey }: Pick<Service, 'url' | 'apiKey'>,
		otherwise: object = {},
	): GivenCredentials {
		const data = { baseUrl: url, apiKey, requestsPerMinute: 20, ...otherwise };
		return new GivenCredentials(loaded, data);
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.typeNamed(typeName);
		if (typeof authenticate !== 'function') throw new UnexpectedError(`${typeName} cannot sign`);
		return await authenticate(credentials, requestOptions);
	}

	async preAuthentication(_: unknown, __: unknown, typeName: string): Promise<undefined> {
		this.typeNamed(typeName);
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		return { ...this.data };
	}

	/** Looks the type up for each request, like n8n, because a package may be unloaded at any time. */
	private typeNamed(name: string): ICredentialType {
		const { [name]: type } = this.loaded.credentialTypes;
		if (!type) throw new UnrecognizedCredentialTypeError(name);
		return type;
	}
}
