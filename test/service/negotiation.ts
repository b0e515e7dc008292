import { Problem } from './problems';

export type Representation = 'application/ld+json' | 'application/json';

interface AcceptedRange {
	range: string;
	quality: number;
}

const readAccept = (accept: string): AcceptedRange[] =>
	accept.split(',').map((part) => {
		const [range, ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
		const quality = parameters.find((parameter) => parameter.startsWith('q='));
		return { range, quality: quality ? Number(quality.slice(2)) : 1 };
	});

/** Representations by preference of the service. */
const REPRESENTATIONS: Representation[] = ['application/ld+json', 'application/json'];

/** Returns the preference of a client for a representation, from the most specific range. */
function qualityOf(representation: Representation, ranges: AcceptedRange[]): number {
	const saying = [representation, 'application/*', '*/*']
		.map((wanted) => ranges.find(({ range }) => range === wanted))
		.find((range) => range !== undefined);
	return saying?.quality ?? 0;
}

/** Returns the client's preferred representation; undefined if it accepts none. */
function accepted(accept: string | undefined): Representation | undefined {
	if (!accept) return REPRESENTATIONS[0];
	const ranges = readAccept(accept);
	const byQuality = REPRESENTATIONS.map((representation) => ({
		representation,
		quality: qualityOf(representation, ranges),
	}))
		.filter(({ quality }) => quality > 0)
		.sort((left, right) => right.quality - left.quality);
	return byQuality[0]?.representation;
}

/**
 * Returns the representation for a client (RFC 9110, section 12.5.1): the one it prefers. Between equal ones, the
 * service decides, whatever their order.
 *
 * @param accept the header; if absent, the client accepts everything
 * @throws Problem 406 if the client accepts none
 */
export function negotiate(accept: string | undefined): Representation {
	const representation = accepted(accept);
	if (representation) return representation;
	const types = REPRESENTATIONS.map((type) => `"${type}"`).join(', ');
	throw new Problem(
		406,
		`Requested format "${accept}" is not supported. Supported MIME types are ${types}.`,
	);
}

/** Returns whether a client accepts problems with their JSON-LD members. */
export const acceptsJsonLd = (accept: string | undefined) =>
	accepted(accept) === 'application/ld+json';

/**
 * Refuses a body with a media type that the endpoint does not take. Parameters of the type do not count.
 *
 * @throws Problem 415
 */
export function checkContentType(contentType: string | undefined, taken: string[]): void {
	if (!contentType) throw new Problem(415, 'The "Content-Type" header must exist.');
	const mediaType = contentType.split(';')[0].trim().toLowerCase();
	if (taken.includes(mediaType)) return;
	const types = taken.map((type) => `"${type}"`).join(', ');
	throw new Problem(
		415,
		`The content-type "${contentType}" is not supported. Supported MIME types are ${types}.`,
	);
}
