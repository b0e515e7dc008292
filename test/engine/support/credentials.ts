import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { UnrecognizedCredentialTypeError } from 'n8n-core';
import { UnexpectedError } from 'n8n-workflow';
import type { Service } from '../../service';

/**
 * Stands where n8n keeps its database of credentials, which n8n-core does not have: hands out the
 * data given here, and has the credential type's own `authenticate` sign requests, as n8n does.
 */
export class GivenCredentials {
	constructor(
		private readonly loaded: { credentialTypes: Readonly<Record<string, ICredentialType>> },
		private readonly data: ICredentialDataDecryptedObject,
	) {}

	/** Returns the credentials of a service, with the changes of a test. */
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

	/** A package may be unloaded at any time, and n8n looks its type up for each request. */
	private typeNamed(name: string): ICredentialType {
		const { [name]: type } = this.loaded.credentialTypes;
		if (!type) throw new UnrecognizedCredentialTypeError(name);
		return type;
	}
}
