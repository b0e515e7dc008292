import { countryCode, isSameCountry } from '../../../nodes/ContactTaskCrm/values/country';

it.each([
	[
		'NL',
		'Netherlands; the netherlands; Netherlands, The; Nederland; Nederland (NL); Niederlande; Pays-Bas; Les Pays-Bas; Holland; NLD; nl; The Netherlands; Hollande; Kingdom of the Netherlands; Koninkrijk der Nederlanden',
	],
	['BE', 'Belgium; België; Belgie; Belgien; Belgique; BEL; be'],
	['BR', 'Brazil; Brasil; Brasil (BR)'],
	[
		'DE',
		'Germany; Duitsland; Deutschland; Allemagne; DEU; Bundesrepublik Deutschland; Federal Republic of Germany; BRD',
	],
	['FR', 'France; Frankrijk; Frankreich; FRA'],
	[
		'GB',
		'UK; U.K.; United Kingdom; Great Britain; Verenigd Koninkrijk; Großbritannien; Grossbritannien; Royaume-Uni; GBR; England; Britain; Scotland; Wales; Northern Ireland; VK; Groot-Brittannië; Engeland; Schotland; Noord-Ierland; Vereinigtes Königreich; Schottland; Grande-Bretagne; Angleterre; Écosse',
	],
	[
		'US',
		'USA; U.S.A.; US; United States; United States of America; Verenigde Staten; Vereinigte Staaten; États-Unis; VS; U.S.; The United States; America; Verenigde Staten van Amerika; Amerika; Vereinigte Staaten von Amerika; États-Unis d’Amérique; EE.UU.',
	],
	['TR', 'Turkey; Türkiye; Turkije; Türkei; Turquie; TUR'],
	[
		'CZ',
		'Czech Republic; Czechia; Tsjechië; Tschechien; République tchèque; Tchéquie; CZE; Tsjechische Republiek; Tschechische Republik',
	],
	[
		'KR',
		'South Korea; Korea, Republic of; Zuid-Korea; Südkorea; Corée du Sud; Republic of Korea; Korea',
	],
	['CI', "Ivory Coast; Côte d’Ivoire; Cote d'Ivoire; Ivoorkust; Elfenbeinküste"],
	['CH', 'Switzerland; Zwitserland; Schweiz; Suisse; CHE; Svizzera'],
	['AT', 'Austria; Oostenrijk; Österreich; Autriche'],
	['GR', 'Greece; Griekenland; Griechenland; Grèce'],
	['VN', 'Viet Nam; Vietnam'],
	[
		'RU',
		'Russia; Russian Federation; Rusland; Russland; Russie; Russische Federatie; Russische Föderation; Fédération de Russie',
	],
	['BA', 'Bosnia & Herzegovina; Bosnia and Herzegovina; Bosnia; Bosnië; Bosnien; Bosnie'],
	['PL', 'Poland; Polen; Pologne; Polska'],
	['FI', 'Finland; Finnland; Finlande; Suomi'],
	['SE', 'Sweden; Zweden; Schweden; Suède; Sverige; S'],
	['NO', 'Norway; Noorwegen; Norwegen; Norvège; Norge; N'],
	['DK', 'Denmark; Denemarken; Dänemark; Danemark; Danmark'],
	['ES', 'Spain; Spanje; Spanien; Espagne; España; E'],
	['IT', 'Italy; Italië; Italien; Italie; Italia'],
	['PT', 'Portugal; P'],
	['IE', 'Ireland; Ierland; Irland; Irlande; Republic of Ireland; Éire'],
	['AE', 'United Arab Emirates; UAE; VAE; Emirates'],
	[
		'SK',
		'Slovakia; Slovak Republic; Slowaakse Republiek; Slowakische Republik; République slovaque',
	],
	[
		'MK',
		'North Macedonia; Macedonia; Macedonië; Mazedonien; Macédoine; Republic of North Macedonia',
	],
	['CN', 'China; Chine; People’s Republic of China; Volksrepubliek China; Volksrepublik China'],
	['CV', 'Cape Verde; Cabo Verde; Kaapverdië; Kap Verde; Cap-Vert'],
	['VA', 'Vatican; Vatican City; Holy See; Vaticaan; Vatikan'],
	['TL', 'East Timor; Timor-Leste; Oost-Timor; Osttimor'],
	['PS', 'Palestine; State of Palestine; Palestina'],
	['MM', 'Myanmar; Burma; Birma; Birmanie'],
	['CD', 'DR Congo; Democratic Republic of the Congo'],
	['CG', 'Republic of the Congo'],
	['KP', 'North Korea; Democratic People’s Republic of Korea'],
	['MD', 'Moldova; Moldavië; Republic of Moldova'],
	['SZ', 'Eswatini; Swaziland'],
	['ZA', 'South Africa; Zuid-Afrika; Südafrika; RSA; Republic of South Africa'],
	['TW', 'Taiwan'],
	['HK', 'Hong Kong; Hongkong'],
	['MO', 'Macao; Macau'],
	['LA', 'Laos; Lao People’s Democratic Republic'],
	['BN', 'Brunei; Brunei Darussalam'],
	['SY', 'Syria; Syrian Arab Republic'],
	['IR', 'Iran; Islamic Republic of Iran'],
	['TZ', 'Tanzania; United Republic of Tanzania'],
	['VE', 'Venezuela; Bolivarian Republic of Venezuela'],
])('The node finds the country code %s for each of the names %s', (code, names) => {
	const all = names.split('; ');
	expect(all.map((name) => [name, countryCode(name)])).toEqual(all.map((name) => [name, code]));
});

it.each(['Atlantis', 'XX', 'Q', '', '+31', 'Netherland', 'Europe', 'x'.repeat(1_000_000)])(
	'The node finds no country code in text that is no country (row %#)',
	(text) => expect(countryCode(text)).toBeUndefined(),
);

it('The node reads an international vehicle code, such as "D", as the country', () => {
	const letters = ['D', 'A', 'B', 'F', 'I', 'e', 'L'];
	expect(letters.map(countryCode)).toEqual(['DE', 'AT', 'BE', 'FR', 'IT', 'ES', 'LU']);
});

it('The node accepts country codes of two letters, and of three', () => {
	for (const code of ['AD', 'IS', 'PL', 'XK', 'ZW']) expect(countryCode(code)).toBe(code);
	expect(['ISL', 'SVN', 'CHE', 'IRL', 'POL', 'DNK'].map(countryCode)).toEqual([
		...['IS', 'SI', 'CH', 'IE', 'PL', 'DK'],
	]);
});

it('A country equals its name in another language, and no other country', () => {
	expect(isSameCountry('NL', 'Pays-Bas')).toBe(true);
	expect(isSameCountry('Holland', 'Nederland')).toBe(true);
	expect(isSameCountry('NL', 'BE')).toBe(false);
	expect(isSameCountry('Atlantis', 'Atlantis')).toBe(false);
	expect(isSameCountry(null, 'NL')).toBe(false);
});
