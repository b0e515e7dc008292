import { segment } from '../contract/segment';
import { shownId } from '../runtime/answer';
import { isWebPage } from '../transport/answerBody';
import type { Outcome, ServiceResponse } from '../transport/http';
import { isSuccess } from '../transport/http';
import { causeText, explainUnsent, isOfN8n, networkAdvice } from '../transport/networkErrors';
import { pageOf } from '../transport/paging';

/**
 * What an answer to the test of a credential says of the credential, in words; undefined where it is a
 * list of the CRM, as it should be.
 *
 * @param baseUrl checked, without a trailing slash
 */
export function verdictOn(outcome: Outcome, baseUrl: string): string | undefined {
	if (outcome.kind === 'networkError') {
		if (isOfN8n(outcome.code)) {
			const { message, advice } = explainUnsent(outcome.message);
			return `${message}. ${advice}`;
		}
		return `The service at ${baseUrl} cannot be reached: ${causeText(outcome)}. ${networkAdvice(outcome.code)}`;
	}
	const { status } = outcome;
	if (isSuccess(status)) return verdictOnSuccess(outcome);
	if (status >= 300 && status < 400) return verdictOnRedirect(outcome, baseUrl);
	return STATUSES[status] ?? verdictOnStatus(status);
}

const STATUSES: Readonly<Record<number, string>> = {
	401: 'The service did not accept the API key. Check API Key and Base URL; an administrator of the CRM creates keys',
	403: 'The API key has no permission to read segments. Ask an administrator of the CRM for a key that may',
	404: 'There is no CRM interface at the Base URL. Check its path, and enter the address without the path of a record',
	407: 'A proxy between this n8n and the service asks for a sign-in. Ask whoever runs this n8n',
};

function verdictOnStatus(status: number): string {
	return status >= 500
		? `The service could not answer (HTTP ${status}). It may be down for a moment: try again later, or check the Base URL`
		: `The Base URL does not answer as the CRM interface (HTTP ${status}). Check it, and enter the address of the interface`;
}

function verdictOnSuccess({ body }: ServiceResponse): string | undefined {
	if (isWebPage(body)) {
		return 'The Base URL answers with a web page, and not as the CRM interface. Check its path, and enter the address of the interface';
	}
	const isListOfRecords = pageOf(body)?.members.every(
		(member) => shownId(member, segment) !== undefined,
	);
	if (isListOfRecords) return undefined;
	return 'The Base URL answers, and not with a list of the CRM. Check it, and enter the address of the CRM interface';
}

function verdictOnRedirect({ headers }: ServiceResponse, baseUrl: string): string {
	const message = 'The Base URL leads on to another address, which is not followed';
	try {
		const { origin } = new URL(headers.location ?? '', baseUrl);
		return origin === new URL(baseUrl).origin
			? `${message}. Check its path, and enter the address of the interface; a sign-in page may stand before it`
			: `${message}. Enter the final address; it leads to ${origin}`;
	} catch {
		return `${message}. Enter the final address`;
	}
}
