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

const BY_RANGE: Record<string, Representation> = {
	'application/ld+json': 'application/ld+json',
	'application/json': 'application/json',
	'application/*': 'application/ld+json',
	'*/*': 'application/ld+json',
};

/**
 * The representation a client gets (RFC 9110, section 12.5.1): of those it accepts the one it
 * prefers, the first of equals, JSON-LD where it does not mind.
 *
 * @param accept the header; missing means everything
 * @throws Problem 406 where the client accepts neither
 */
export function negotiate(accept: string | undefined): Representation {
	if (!accept) return 'application/ld+json';
	const ranges = readAccept(accept)
		.filter(({ range, quality }) => range in BY_RANGE && quality > 0)
		.sort((left, right) => right.quality - left.quality);
	if (ranges.length === 0) {
		throw new Problem(
			406,
			`Requested format "${accept}" is not supported. Supported MIME types are "application/ld+json", "application/json".`,
		);
	}
	return BY_RANGE[ranges[0].range];
}

/** Whether a client takes problems with their JSON-LD members. */
export function acceptsJsonLd(accept: string | undefined): boolean {
	try {
		return negotiate(accept) === 'application/ld+json';
	} catch {
		return false;
	}
}

/**
 * Refuses a body whose media type the endpoint does not take; parameters of the type do not count.
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
