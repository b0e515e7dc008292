import fc from 'fast-check';

/*
 * Values of each kind, each in several spellings.
 */

const one = fc.constantFrom;

/** A value with texts that all mean it. `canonical` is the spelling that a CRM most likely stores. */
export interface Spelled<T = string> {
	/** Meaning of the value. Two texts are one value if and only if they have the same meaning. */
	means: string;
	canonical: T;
	spellings: [T, T];
}

const toFullWidth = (text: string) =>
	text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));

/** Puts invisible characters between the characters of a text, and a byte order mark at its start. */
const withInvisible = (text: string) =>
	one('\u200B', '\u00AD', '\u202A').map((sign) => `\uFEFF${sign}${[...text].join(sign)}`);

/** Spellings in which a table, a mail program or a keyboard may write any contact. */
const anyContactOf = (text: string) =>
	fc.oneof(
		fc.constant(text),
		one(` ${text}\n`, `\u00A0${text}`, text.normalize('NFD'), toFullWidth(text)),
		withInvisible(text),
		fc.constant(text.replace(/-/g, '\u2011')),
	);

const EMAILS = [
	...['eva@x.nl', 'eva.de-vries@x.nl', 'eva@x.nl.be', 'joeva@x.nl', 'eva+crm@mail.x.nl'],
	...['zoë@x.nl', '0612345678@x.nl', "o'brien@x.nl", 'na@nedap.com'],
];

const anyEmailSpelling = (email: string) =>
	fc
		.oneof(
			fc.constant(email),
			one(email.toUpperCase(), email[0].toUpperCase() + email.slice(1)),
			one(`mailto:${email}`, `MAILTO: ${email}`, `<${email}>`, `Eva de Vries <${email}>`),
			one(`"Eva" <mailto:${email}>`, `<<${email}>>`, `mailto:mailto:${email}`),
		)
		.chain(anyContactOf);

const anySpelled = <T, V>(
	values: readonly V[],
	{
		means,
		canonical,
		spelling,
	}: {
		means: (value: V) => string;
		canonical: (value: V) => T;
		spelling: (value: V) => fc.Arbitrary<T>;
	},
): fc.Arbitrary<Spelled<T>> =>
	one(...values).chain((value) =>
		fc.tuple(spelling(value), spelling(value)).map((spellings) => ({
			means: means(value),
			canonical: canonical(value),
			spellings,
		})),
	);

export const anyEmail = anySpelled(EMAILS, {
	means: (email) => email,
	canonical: (email) => email,
	spelling: anyEmailSpelling,
});

/** A number of the home country or another one, perhaps with an extension. */
interface DrawnPhone {
	country: string;
	national: string;
	extension: string;
}

/**
 * Numbers that share their last digits, so that only the country, the area or the extension tells them apart. No two
 * numbers differ in the country alone, because a spelling without the country code would equal both.
 */
const PHONES: DrawnPhone[] = [
	['31', '612345678', ''],
	['49', '312345678', ''],
	['31', '201234567', ''],
	['31', '301234567', ''],
	['31', '201234567', '12'],
	['31', '201234567', '13'],
	['31', '612345678', '12'],
	['1', '2125550123', ''],
].map(([country, national, extension]) => ({ country, national, extension }));

/** Puts separators between groups of the digits. */
const grouped = (digits: string) =>
	fc
		.array(one('', '', ' ', '-', '.', '/', '·', ' · ', '\u2013', '\u00A0', ' - '), {
			minLength: digits.length - 1,
			maxLength: digits.length - 1,
		})
		.map((between) => [...digits].map((digit, index) => digit + (between[index] ?? '')).join(''));

const anyExtension = (extension: string) =>
	extension === ''
		? fc.constant('')
		: one('x', ' x', ' ext. ', ' ext', ' toestel ', ' Tst. ', ' extension ').map(
				(word) => word + extension,
			);

/** Writes a number with its country code. */
const anyInternational = ({ country, national }: DrawnPhone) =>
	one(`+${country}`, `00${country}`, `+ ${country}`, `(+${country})`, `+(${country})`).chain(
		(start) =>
			fc
				.tuple(one('', ' ', '(0)', ' (0) ', ' (0)'), grouped(national))
				.map(([zero, digits]) => `${start}${zero}${digits}`),
	);

/** Writes a number as people of the home country do: with a zero, or without one as spreadsheets leave it. */
const anyAtHome = ({ national }: DrawnPhone) =>
	fc.oneof(
		grouped(`0${national}`),
		grouped(national),
		grouped(national.slice(2)).map((digits) => `(0${national.slice(0, 2)}) ${digits}`),
	);

const anyPhoneSpelling = (phone: DrawnPhone) =>
	fc
		.tuple(
			phone.country === '31'
				? fc.oneof(anyInternational(phone), anyAtHome(phone))
				: anyInternational(phone),
			anyExtension(phone.extension),
			one('', '', 'tel:', 'TEL: '),
		)
		.chain(([number, extension, start]) => anyContactOf(start + number + extension));

export const canonicalPhone = ({ country, national, extension }: DrawnPhone) =>
	`+${country}${national}${extension && ` x${extension}`}`;

export const anyPhone = anySpelled(PHONES, {
	means: canonicalPhone,
	canonical: canonicalPhone,
	spelling: anyPhoneSpelling,
});

/** Short numbers inside a company. Two of them are equal only if all their digits are equal. */
export const anyShortPhone = anySpelled(['12345', '123456', '1234567', '2345678'], {
	means: (digits) => digits,
	canonical: (digits) => `${digits.slice(0, 2)} ${digits.slice(2)}`,
	spelling: (digits) =>
		grouped(digits.slice(2)).chain((end) => anyContactOf(`${digits.slice(0, 2)} ${end}`)),
});

/** Values that find a person: addresses and numbers. The tests also compare an address with a number. */
export const anyContact = fc.oneof(anyEmail, anyPhone, anyShortPhone);

const UUIDS = [
	'3f2504e0-4f89-11d3-9a0c-0305e82c3301',
	'3f2504e0-4f89-11d3-9a0c-0305e82c3302',
	'1f0c3b52-7d0e-4c7a-9a55-0b6f8d1c2e3f',
];

/** Writes a reference to a tag in one of its forms. Only a UUID has two cases. */
const anyReferenceForm = (id: string) =>
	one(...(UUIDS.includes(id) ? [id, id.toUpperCase()] : [id])).chain((given) =>
		fc.oneof(
			one<unknown>(given, ` ${given}`, `\u200B${given}`, ...(/^\d+$/.test(id) ? [Number(id)] : [])),
			one<unknown>(`/tags/${given}`, `/api/v2/tags/${given}`, `https://crm.example/tags/${given}`),
			one<unknown>(`https://crm.example/api/tags/${given}`, `Partner (/tags/${given})`),
			one<unknown>({ id: given, title: 'VIP' }, { uuid: given }, { '@id': `/api/tags/${given}` }),
			one<unknown>({ '@id': `/.well-known/genid/7`, id: given }, { '@id': '_:b0', id: given }),
		),
	);

export const anyReference = anySpelled<unknown, string>(
	[...UUIDS, '7c1e', '7C1E', '7c1', '12', '120'],
	{
		means: (id) => id,
		canonical: (id) => `/tags/${id}`,
		spelling: anyReferenceForm,
	},
);

/** Writes a time in a zone, as ISO 8601 allows it. */
const anyTimeSpelling = (instant: number) =>
	fc
		.tuple(one(0, 60, 120, 330, -210, 840, -720), one('T', 't', ' '), one('', '.0', ',000'))
		.map(([offset, between, fraction]) => {
			const local = new Date(instant + offset * 60_000).toISOString();
			const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map(
				(part) => String(part).padStart(2, '0'),
			);
			const zone = offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
			const milliseconds = local.slice(19, 23) === '.000' ? fraction : local.slice(19, 23);
			return `${local.slice(0, 10)}${between}${local.slice(11, 19)}${milliseconds}${zone}`;
		});

const NOON = Date.UTC(2026, 2, 29, 12);

/** Points in time that are a second, an hour or a day apart, or a fraction of a second after the second. */
export const anyTime = anySpelled(
	[0, 1_000, 3_600_000, 86_400_000, -43_200_000, 250].map((ms) => NOON + ms),
	{
		means: String,
		canonical: (instant) => new Date(instant).toISOString(),
		spelling: anyTimeSpelling,
	},
);
