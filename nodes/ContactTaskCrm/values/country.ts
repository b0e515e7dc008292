import { once } from 'lodash';
import { cleanText, folded } from './text';

/*
 * Recognises a country by its name or code. Names are in English, Dutch, German or French. Codes are those of ISO
 * 3166-1, with two or three letters.
 */

/** The codes of ISO 3166-1. Each word holds both codes of a country: BEBEL stands for BE and BEL (Belgium). */
const ISO_CODES =
	'ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB BDBGD ' +
	'BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN ' +
	'CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU ' +
	'DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB ' +
	'GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG ' +
	'HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN ' +
	'KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU ' +
	'LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR ' +
	'MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL ' +
	'OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB ' +
	'RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP ' +
	'SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN ' +
	'TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM XKXKX YEYEM YTMYT ' +
	'ZAZAF ZMZMB ZWZWE';

/**
 * Letters on the number plates of cars, each behind the ISO code of its country: D for Germany (DE). German postal
 * addresses use these letters, as in D-10115. One letter is never ambiguous, because no ISO code has only one letter.
 */
const LETTERS_OF_CARS = 'AT:A BE:B DE:D ES:E FR:F HU:H IT:I LU:L NO:N PT:P SE:S';

const LANGUAGES = ['en', 'nl', 'de', 'fr'];

/** Other usual names, keyed by ISO code. `Intl.DisplayNames` lacks them in some versions of Node.js. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
	AE: 'UAE, VAE, Emirates',
	AT: 'Österreich',
	BA: 'Bosnia, Bosnië, Bosnien, Bosnie',
	BE: 'België, Belgique',
	BN: 'Brunei Darussalam',
	BR: 'Brasil',
	CD: 'Democratic Republic of the Congo, DR Congo',
	CG: 'Republic of the Congo',
	CH: 'Schweiz, Suisse, Svizzera',
	CI: 'Ivory Coast, Côte d’Ivoire, Ivoorkust, Elfenbeinküste',
	CN: 'Volksrepubliek China, Volksrepublik China, People’s Republic of China',
	CV: 'Cape Verde, Kaapverdië, Kap Verde, Cap-Vert',
	CZ: 'Czech Republic, Czechia, Tsjechische Republiek, Tschechische Republik, République tchèque',
	DE: 'Federal Republic of Germany, Bundesrepublik Deutschland, BRD',
	DK: 'Danmark',
	ES: 'España',
	FI: 'Suomi',
	GB: 'UK, U.K., Great Britain, Britain, England, Scotland, Wales, Northern Ireland, VK, Groot-Brittannië, Engeland, Schotland, Noord-Ierland, Großbritannien, Vereinigtes Königreich, Schottland, Grande-Bretagne, Angleterre, Écosse',
	HK: 'Hong Kong, Hongkong',
	IE: 'Republic of Ireland, Éire',
	IR: 'Islamic Republic of Iran',
	IT: 'Italia',
	KP: 'Democratic People’s Republic of Korea',
	KR: 'Republic of Korea, Korea',
	LA: 'Laos, Lao People’s Democratic Republic',
	MD: 'Republic of Moldova, Moldavië',
	MK: 'Macedonia, Macedonië, Mazedonien, Macédoine, Republic of North Macedonia',
	MM: 'Burma, Birma, Birmanie',
	MO: 'Macao, Macau',
	NL: 'Holland, The Netherlands, Hollande, Kingdom of the Netherlands, Koninkrijk der Nederlanden',
	NO: 'Norge',
	PL: 'Polska',
	PS: 'Palestine, State of Palestine, Palestina',
	PT: 'Portugal',
	RU: 'Russian Federation, Russische Federatie, Russische Föderation, Fédération de Russie',
	SE: 'Sverige',
	SK: 'Slovak Republic, Slowaakse Republiek, Slowakische Republik, République slovaque',
	SY: 'Syrian Arab Republic',
	SZ: 'Swaziland, Eswatini',
	TL: 'East Timor, Oost-Timor, Osttimor',
	TR: 'Turkey, Türkiye',
	TW: 'Taiwan',
	TZ: 'United Republic of Tanzania',
	US: 'USA, U.S.A., U.S., United States of America, The United States, America, VS, Verenigde Staten van Amerika, Amerika, Vereinigte Staaten von Amerika, États-Unis d’Amérique, EE.UU.',
	VA: 'Vatican, Vatican City, Holy See, Vaticaan, Vatikan',
	VE: 'Bolivarian Republic of Venezuela',
	VN: 'Viet Nam, Vietnam',
	ZA: 'Republic of South Africa, RSA',
};

const LONGEST = 80;
/** Matches the article in front of the name of a country. */
const ARTICLE = /^(?:the|de|het|die|der|das|le|la|les|l) /;

/**
 * Returns a map from each known name and code of a country to the code with two letters. The first call builds the map,
 * which takes some milliseconds.
 */
const codesByName = once((): ReadonlyMap<string, string> => {
	const found = new Map<string, string>();
	const add = (name: string | undefined, code: string) => {
		if (name === undefined) return;
		for (const spelling of [comparable(name), comparable(name).replace(ARTICLE, '')]) {
			if (!found.has(spelling)) found.set(spelling, code);
		}
	};
	const codes = ISO_CODES.split(' ').map((both) => [both.slice(0, 2), both.slice(2)] as const);
	for (const [code, long] of codes) {
		add(code, code);
		add(long, code);
		for (const name of (OTHER_NAMES[code] ?? '').split(', ')) add(name || undefined, code);
	}
	for (const both of LETTERS_OF_CARS.split(' ')) add(both.slice(3), both.slice(0, 2));
	for (const language of LANGUAGES) {
		const shown = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
		for (const [code] of codes) add(shown.of(code), code);
	}
	return found;
});

/**
 * Returns the name of a country in a form to compare: without case, accents and signs. "Korea, Republic of" becomes
 * "republic of korea".
 */
function comparable(text: string): string {
	const [first = '', second, ...more] = cleanText(text).split(',');
	const turned = second !== undefined && more.length === 0 ? `${second} ${first}` : text;
	return folded(turned.replace(/ß/g, 'ss').replace(/&/g, ' and '))
		.replace(/\./g, '')
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();
}

/** Returns the code with two letters for a name or code of a country; undefined for any other text. */
export function countryCode(text: string): string | undefined {
	if (text.length > LONGEST) return undefined;
	const name = comparable(text);
	const code = codesByName().get(name) ?? codesByName().get(name.replace(ARTICLE, ''));
	// "Nederland (NL)" and "Schweiz/Suisse" give a code only because both names mean the same country.
	const [first, second, ...more] = text.split(/\s*[/(]\s*|\s[-–]\s/);
	if (code !== undefined || second === undefined || more.length > 0) return code;
	const both = [first!, second.replace(/\)\s*$/, '')].map(countryCode);
	return both[0] === both[1] ? both[0] : undefined;
}

/** Returns whether two texts name the same country, by any known name or code. */
export function isSameCountry(one: unknown, other: unknown): boolean {
	if (typeof one !== 'string' || typeof other !== 'string') return false;
	const code = countryCode(one);
	return code !== undefined && code === countryCode(other);
}
