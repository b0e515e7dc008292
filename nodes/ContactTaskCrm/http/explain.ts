import { withoutKey } from './credential';
import type { ErrorCode } from '../util/codes';
import { causeText, isBrokenAnswer, isOfN8n, maybeSent, networkAdvice } from './networkErrors';
import type { ApiRequest, NetworkError, Outcome, ServiceResponse } from './request';
import { isRepeatable, mayHaveTakenEffect } from './retry';
import {
	labelOfNamed,
	otherThanJson,
	outlineOf,
	type Reader,
	readerWithout,
	saying,
	violationsOf,
	withoutRecordTexts,
} from './said';
import { isObject } from '../values/json';
import { isUuidInCapitals } from '../values/reference';
import { quoted, shortened } from '../values/text';
import type { Explanation } from '../util/failures';

/** The parts of a request that messages mention. */
type SentRequest = Pick<ApiRequest, 'method' | 'path' | 'subject' | 'body' | 'labelAt'>;

/** Facts about a request, apart from its last outcome. */
interface Circumstances {
	baseUrl: string;
	/** API key. `explain` removes it from every text. */
	apiKey: string;
	/** Number of times that the request was sent. */
	tries?: number;
	/** Whether any try may have taken effect. If absent, only the last try counts. */
	isUncertain?: boolean;
	/** Whether the request tests the Base URL of a credential. */
	isTest?: boolean;
	/** Whether the answer says that the request failed, although its status means success. */
	isFailure?: boolean;
}

/** An answer that the node cannot use, with texts and facts for the error message. */
interface Answer extends ServiceResponse, Circumstances {
	tried: SentRequest;
	noun: string;
	/** Verb for messages ("could not update"), such as "update". */
	verb: string;
	/** The service's explanation of the error; empty if the service gave none. */
	said: string;
	/** `said` after a colon, for the end of a message; empty if `said` is empty. */
	saidAfterColon: string;
	/** If `said` names a reference such as /users/3f2a, label of the field with this reference; otherwise empty. */
	blamed: string;
	/** Whether the last try may have taken effect. */
	isLastUncertain: boolean;
	/** First ten violations. A violation is the refusal of one value. `violationCount` counts all of them. */
	violations: Array<{ label: string; text: string }>;
	violationCount: number;
	read: Reader;
}

type Words = string | ((answer: Answer) => string);

const CHECK_BASE_URL =
	'Check the Base URL in the credential, and its path: enter the address of the CRM interface, without the path of a record';

const IF_EVERY_REQUEST = 'If every request ends like this, check the Base URL in the credential';

const is =
	(...statuses: number[]) =>
	({ status }: Answer) =>
		statuses.includes(status);

/** Explanations for answers that the node cannot use (interface, section 7). The first case that fits counts. */
const CASES: ReadonlyArray<{
	fits: (answer: Answer) => boolean;
	code: ErrorCode;
	happened: Words;
	goOn: Words;
	/** Further sentence of the advice. By default, the sentence quotes the service. */
	detail?: Words;
	parameter?: Words;
}> = [
	{
		fits: is(401),
		code: 'not-allowed',
		happened: 'The service did not accept the API key',
		goOn: 'Open the credential and check API Key and Base URL; keys are created by an administrator of the CRM',
	},
	{
		fits: is(403),
		code: 'not-allowed',
		happened: ({ verb, noun }) => `The API key has no permission to ${verb} this ${noun}`,
		goOn: 'Ask an administrator of the CRM for a key that may do this, and enter it in the credential',
	},
	{
		fits: is(407),
		code: 'not-allowed',
		happened: 'A proxy between this n8n and the service asks for a sign-in',
		goOn: 'Ask the administrator of this n8n',
	},
	{
		fits: ({ status, isLastUncertain }) => isLastUncertain && status >= 400,
		code: 'uncertain',
		happened: ({ status }) => `The service answered with HTTP ${status}`,
		goOn: 'The service may be down for a moment',
	},
	{
		fits: (answer) => answer.status >= 500 || is(408, 425)(answer),
		code: 'unavailable',
		happened: ({ verb, noun, status, saidAfterColon }) =>
			`The service could not ${verb} the ${noun} (HTTP ${status})${saidAfterColon}`,
		goOn: 'The service may be down for a moment. Try again later, or check the Base URL in the credential',
		detail: '',
	},
	{
		fits: ({ status }) => status >= 300 && status < 400,
		code: 'unreadable',
		happened: 'The service redirects to another address, which is not followed',
		goOn: redirectAdvice,
		detail: '',
	},
	{
		fits: ({ isFailure = false }) => isFailure,
		code: 'refused',
		happened: ({ status, said, violations: [{ text = said } = {}], violationCount: count }) => {
			const more = count > 1 ? ` (and ${count - 1} more)` : '';
			const reason = text === '' ? 'does not report success' : `says "${text}"${more}`;
			return `The service answered with HTTP ${status}, but ${reason}`;
		},
		goOn: '',
		detail: '',
		parameter: ({ violations: [{ label = '' } = {}] }) => label,
	},
	{
		fits: ({ status }) => status < 300,
		code: 'unreadable',
		happened: ({ status, headers, read }) =>
			`The answer of the service cannot be read (HTTP ${status}${otherThanJson(headers, read)})`,
		goOn: CHECK_BASE_URL,
		detail: ({ body, read }) => `The answer was ${outlineOf(body, read)}`,
	},
	{
		fits: ({ isTest = false }) => isTest,
		code: 'unreadable',
		happened: ({ status }) => `There is no CRM interface at the Base URL (HTTP ${status})`,
		goOn: CHECK_BASE_URL,
	},
	{
		fits: (answer) => missingEndpoint(answer) !== undefined,
		code: 'unsupported',
		happened: (answer) => `The service has no endpoint ${missingEndpoint(answer)}`,
		goOn: `This operation is not there in this version of the CRM. ${IF_EVERY_REQUEST}`,
		detail: '',
	},
	{
		fits: is(404),
		code: 'not-found',
		happened: ({ tried: { subject }, noun }) => {
			const { id, named = id === undefined ? undefined : { noun, id } } = subject;
			if (!named) return `The service has no such ${noun}`;
			return `The ${named.noun} ${quoted(named.id)} does not exist`;
		},
		goOn: ({ noun, tried: { subject } }) =>
			`${isUuidInCapitals(subject.id) ? 'Write the ID in small letters. ' : ''}Check the ID: it may belong to another kind of record, or the record may have been removed. ${noun === 'person' ? 'Get Many with the filter Search finds people. ' : ''}${IF_EVERY_REQUEST}`,
	},
	{
		fits: ({ violationCount }) => violationCount > 0,
		code: 'refused',
		happened: ({ noun, violations: [{ text = '' } = {}], violationCount: count }) =>
			`The service did not accept the ${noun}: ${text}${count > 1 ? ` (and ${count - 1} more)` : ''}`,
		goOn: ({ violations, violationCount: count }) => {
			if (count === 1) return 'Correct the value and run again';
			const more = count > violations.length ? `; and ${count - violations.length} more` : '';
			// Joins the violations on one line, because the editor shows no line breaks.
			return `Correct and run again: ${violations.map(({ text }) => text).join('; ')}${more}`;
		},
		detail: '',
		parameter: ({ violations: [{ label = '' } = {}] }) => label,
	},
	{
		fits: () => true,
		code: 'refused',
		happened: ({ status, blamed, said, saidAfterColon }) =>
			`The service could not use the request (HTTP ${status})${blamed === '' ? saidAfterColon : `: ${blamed}: ${said}`}`,
		goOn: ({ noun }) => `Check the values given for this ${noun} and run again`,
		detail: '',
		parameter: ({ blamed }) => blamed,
	},
];

/** Explanation of an outcome. `explain` adds the texts about a possible effect of the request. */
type Cause = Record<'happened' | 'goOn' | 'detail', string> &
	Pick<Explanation, 'code' | 'httpCode' | 'parameter'>;

export function explain(outcome: Outcome, tried: SentRequest, known: Circumstances): Explanation {
	const { apiKey, tries = 1 } = known;
	const isLastUncertain = mayHaveTakenEffect(outcome, tried.method);
	const { isUncertain = isLastUncertain } = known;
	const { happened, goOn, detail, ...rest } =
		outcome.kind === 'response'
			? meaningOf(outcome, tried, known)
			: networkMeaning(outcome, isLastUncertain, known);
	const effect = isUncertain ? effectOf(tried, isLastUncertain) : { happened: '', goOn: '' };
	const advice = [goOn, effect.goOn, detail, tries > 1 ? `It was tried ${tries} times` : ''];
	return {
		...rest,
		message: withoutKey(happened + effect.happened, apiKey),
		advice: withoutKey(advice.filter(Boolean).join('. '), apiKey),
		...(isUncertain && { code: 'uncertain' }),
	};
}

/**
 * Returns the texts about a possible effect of the request.
 *
 * @param isLastUncertain whether the last try may have taken effect. If not, an earlier try may have
 */
function effectOf(
	tried: SentRequest,
	isLastUncertain: boolean,
): { happened: string; goOn: string } {
	const { noun } = tried.subject;
	const verb = verbOf(tried);
	const done = verb.endsWith('e') ? `${verb}d` : `${verb}ed`;
	return {
		happened: isLastUncertain
			? `, so the ${noun} may have been ${done}`
			: `, but an earlier try may have ${done} the ${noun}`,
		goOn: isRepeatable(tried.method)
			? `Run this item again: to ${verb} the ${noun} twice does no harm`
			: `Look for the ${noun} before you run this item again`,
	};
}

const VERBS: Readonly<Record<string, string>> = {
	GET: 'read',
	POST: 'create',
	PUT: 'replace',
	PATCH: 'update',
	DELETE: 'delete',
};

function verbOf({ method, subject }: SentRequest): string {
	return subject.verb ?? VERBS[method] ?? 'use';
}

/** Explains an answer by the first entry of `CASES` that fits. */
function meaningOf(response: ServiceResponse, tried: SentRequest, known: Circumstances): Cause {
	const read = readerWithout(known.apiKey);
	const { isFailure = false } = known;
	const said = saying(isFailure ? withoutRecordTexts(response.body) : response.body, read);
	const answer: Answer = {
		...{ ...known, ...response, tried, read },
		...violationsOf(response.body, tried, read),
		noun: tried.subject.noun,
		verb: verbOf(tried),
		said,
		saidAfterColon: said === '' ? '' : `: ${said}`,
		blamed: labelOfNamed(said, tried),
		isLastUncertain: mayHaveTakenEffect({ kind: 'response', ...response }, tried.method),
	};
	const quotation = said === '' ? '' : `The service said: ${said}`;
	const found = CASES.find(({ fits }) => fits(answer))!;
	const inWords = (words: Words) => (typeof words === 'string' ? words : words(answer));
	return {
		code: found.code,
		happened: inWords(found.happened),
		goOn: inWords(found.goOn),
		detail: inWords(found.detail ?? quotation),
		parameter: inWords(found.parameter ?? '') || undefined,
		httpCode: String(response.status),
	};
}

function networkMeaning(
	failure: NetworkError,
	isLastUncertain: boolean,
	known: Circumstances,
): Cause {
	const { code, message } = failure;
	if (isOfN8n(code)) {
		return {
			code: 'unavailable',
			happened: `n8n did not send the request: ${message}`,
			goOn: /^Unrecognized (credential|node) type/.test(message)
				? 'The package of this node was uninstalled while it ran. Install it under Settings > Community Nodes, and run this item again'
				: 'Nothing was sent to the service. Ask the administrator of this n8n, whose log may say more',
			detail: '',
		};
	}
	const unanswered = isBrokenAnswer(code)
		? 'The answer of the service cannot be read'
		: 'The service did not answer';
	return {
		code: isBrokenAnswer(code) ? 'unreadable' : 'unavailable',
		happened: maybeSent(code) ? unanswered : `The service at ${known.baseUrl} cannot be reached`,
		goOn: isLastUncertain ? '' : networkAdvice(code),
		detail: `Cause: ${causeText({ code, message: readerWithout(known.apiKey)(message) })}`,
	};
}

function redirectAdvice({ headers, baseUrl, apiKey }: Answer): string {
	const final = 'Enter the final address as Base URL in the credential';
	// Removes the key first. `URL` writes a host in lower case, and `withoutKey` would not find a key in lower case.
	const location = withoutKey(headers.location ?? '', apiKey);
	if (!URL.canParse(location, baseUrl)) return final;
	const { origin } = new URL(location, baseUrl);
	return origin === new URL(baseUrl).origin
		? `${CHECK_BASE_URL}. A sign-in page may stand before it`
		: `${final}. It was redirected to ${shortened(origin)}`;
}

/** Returns an endpoint that the service lacks, such as "GET /tags"; undefined if the service lacks only the record. */
function missingEndpoint({ status, body, tried, read }: Answer): string | undefined {
	if (status !== 404 && status !== 405) return undefined;
	const said = saying(body, read);
	const [, named] = /^No route found for ("[A-Z]+ [^"]+")/.exec(said) ?? [];
	// If no route matches the path, `type` names RFC 2616. A path of one segment, such as /tasks, names no record.
	const isRouting = isObject(body) && /\brfc2616\b/.test(read(body.type));
	const isCollection = said === '' && /^\/[^/]+$/.test(tried.path);
	return named ?? (isRouting || isCollection ? `"${tried.method} ${tried.path}"` : undefined);
}
