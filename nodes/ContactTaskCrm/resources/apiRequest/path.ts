import { UnusableParameter } from '../../util/errors';
import { quoted } from '../../util/quoted';
import { cleanText } from '../../util/text';
import { isBlank } from '../../util/values';

/** What is wrong with a path, as a message goes on, and what to do about it. */
type Objection = readonly [problem: string, advice: string];

const BELOW = 'Give the path below the Base URL of the credential, such as /people';

/** Characters that RFC 3986, section 3.3 allows in a path segment as they are, and encoded ones. */
const NOT_IN_SEGMENT = /(?![A-Za-z0-9._~!$&'()*+,;=:@-]|%[\dA-Fa-f]{2})./su;

/** What a server that decodes more than it should takes for the end of a segment, or of the path. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const LEADS_ELSEWHERE = /[/\\%\u0000-\u001F\u007F]/;

/**
 * A path below the base URL. Whatever a proxy or server might take for a way out of there is refused: another
 * address, and segments of dots and slashes, encoded or not. So is a query, which has a parameter of its own.
 *
 * @throws UnusableParameter saying what is wrong with it
 */
export function checkedPath(given: unknown): string {
	if (isBlank(given)) {
		throw new UnusableParameter(
			'Path is empty',
			`${BELOW}. If it is an expression, it gave nothing for this item`,
		);
	}
	if (typeof given !== 'string') {
		throw new UnusableParameter(`Path: expected text, got ${quoted(given)}`, BELOW);
	}
	const path = cleanText(given);
	const [problem, advice] = objectionTo(path) ?? [];
	if (problem === undefined) return path;
	throw new UnusableParameter(`Path: ${quoted(path)} ${problem}`, advice ?? BELOW);
}

function objectionTo(path: string): Objection | undefined {
	if (!path.startsWith('/')) return ['does not begin with a slash', BELOW];
	const end = /[?#]/.exec(path)?.[0];
	if (end !== undefined) {
		return [
			`goes on after "${end}"`,
			'Enter the path up to there, and what follows as Query Parameters',
		];
	}
	for (const segment of path.split('/').slice(1)) {
		const objection = objectionToSegment(segment);
		if (objection) return objection;
	}
	return undefined;
}

function objectionToSegment(segment: string): Objection | undefined {
	if (segment === '') {
		return [
			'has a part without anything in it',
			'Leave out slashes at the end and double ones. If the part is an expression, it gave nothing for this item',
		];
	}
	const character = NOT_IN_SEGMENT.exec(segment)?.[0];
	if (character !== undefined) {
		return [
			`holds ${JSON.stringify(character)}, which cannot stand in a path`,
			`${BELOW}. In an expression, encodeURIComponent() writes such characters`,
		];
	}
	const decoded = decodedText(segment);
	if (decoded === undefined || decoded.startsWith('.') || LEADS_ELSEWHERE.test(decoded)) {
		return [`holds ${quoted(segment)}, which may lead elsewhere`, BELOW];
	}
	return undefined;
}

/** Undefined where what is encoded is no text. */
function decodedText(segment: string): string | undefined {
	try {
		return decodeURIComponent(segment);
	} catch {
		return undefined;
	}
}

/**
 * A path as it goes behind the base URL: an IRI of a service that is mounted below a path, such as /api,
 * begins with that path, which the base URL has already.
 *
 * @param baseUrl checked, without a trailing slash
 */
export function pathBelow(baseUrl: string, path: string): string {
	const { pathname } = new URL(baseUrl);
	const isMounted = pathname !== '/';
	return isMounted && path.startsWith(`${pathname}/`) ? path.slice(pathname.length) : path;
}
