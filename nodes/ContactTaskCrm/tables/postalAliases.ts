/*
 * Names for the parts of a postal address in exports of other programs, and in spreadsheets of many languages.
 * The node compares names in the form of `plainName`, so case, accents and signs do not count.
 */

/** Names of each part of an address. The best match stands first. */
export const ADDRESS_PARTS = {
	street:
		'Street, Street Address, Street Name, Street and Number, House Number and Street, Street Address Line, Address Line, Street/road name of Postal address, Straat, Straatnaam, Straat en huisnummer, Straat en nummer, Straat en nr, Adresregel, Straat + huisnr, Straat + huisnummer, Adres + huisnummer, Straat + nr, Straatnaam + huisnummer, Straatnaam en huisnummer, Adres + huisnr, Adres en huisnummer, Straße, Str, Straßenname, Straße und Hausnummer, Straße / Hausnummer, Straße + Nr, Straße / Hausnr, Straße Nr, Adresszeile, Adresszusatzzeile, Rue, Voie, Rue et numéro, Numéro et rue, N° et rue, Numéro et voie, N° et voie, Ligne d’adresse, Adresse ligne, Calle, Ulica, Gatuadress, Cadde',
	number:
		'House Number, House No, House Nr, House number of Postal address, Street Number, Street No, Huisnummer, Huisnr, Hnr, Hausnummer, Hausnr, Numéro de rue, Numéro de voie, Numéro de maison, N° de rue, N° de voie, Numero civico, N° civico, Nr domu',
	addition:
		'Toevoeging, Toevoeging huisnummer, Huisnummer toevoeging, Huisnummertoevoeging, Huisnr toevoeging, Huisnummer toev, Huisnr toev, Nr toevoeging, Toev, Huisletter, Busnummer, Busnr, Hausnummernzusatz, Hausnummerzusatz, House Number Addition, House Number Suffix, Apartment Number, Apt Number, Numéro de boîte, Nr lokalu, Nr mieszkania',
	line: 'Adreszusatz, Adresszusatz, Complément d’adresse, Complément adresse, Extended Address, Extra adresregel',
	postalCode:
		'Postal Code, Postcode, ZIP, ZIP Code, Postcode/ZIP, Eircode, ZIP/Postal Code, Postal/ZIP Code, ZIP/Postal code of Postal address, Postnummer, PLZ, Postleitzahl, Code postal, CP, Postnr, Código postal, Cod. postal, CAP, CEP, Kod pocztowy, Posta kodu',
	city: 'City, Town, City/Town, Town/City, Locality, City/town/village/locality of Postal address, Plaats, Woonplaats, Plaatsnaam, Stad, Gemeente, Ort, Wohnort, Stadt, Stadt/Ort, Ort/Stadt, Ville, Commune, Localité, Ciudad, Población, Localidad, Localidade, Municipio, Città, Comune, Località, Cidade, Miasto, Miejscowość, Postort, Poststed, Şehir, İl',
	country:
		'Country Code, Country ISO, Country ISO Code, Landcode, Ländercode, Code pays, Country/Region Code, Country, Country/Region, Country Name, Country/Region Name, Country of Postal address, Country of Residence, Woonland, Land, Land/regio, Land/Region, Pays, Pays/Région, País, Nazione, Paese, Kraj, Ülke',
} as const;

/**
 * Names that may mean a street or a whole address. They mean the street only in a row that also has a city or a postal
 * code. Otherwise, the cell has to hold a whole address.
 */
export const WHOLE_ADDRESS =
	'Address, Postal Address, Full Address, Volledig adres, Vollständige Adresse, Adresse complète, Adres, Adresse, Anschrift, Addr, Dirección, Domicilio, Indirizzo, Endereço, Morada';

/**
 * Names that may mean a part of the street. They mean such a part only in a column right beside another part of the
 * street. Elsewhere, "Nr" may be the number of the row.
 */
export const BESIDE_STREET = {
	number: 'Number, No, Nummer, Nr, Num, N°, Numéro',
	addition: 'Box, Bus, Boîte, Bte, Apt, Apartment, Suite, Unit, Letter, Zusatz, Addition, Bis',
} as const;

/**
 * English and French names of a house number. The number goes in front of the street if its column stands in front. In
 * Dutch and German, the number always goes behind the street.
 */
export const NUMBER_IN_FRONT =
	'House Number, House No, Street Number, Street No, Number, No, Numéro, Numéro de rue, Numéro de voie, N° de rue, N° de voie, N°, Num';

/** Names for a line of the street. A number behind such a name counts the lines of one address: "Address Line 2". */
export const NUMBERED_LINES =
	'Address Line, Street Address Line, Adresregel, Adresszeile, Adresszusatzzeile, Ligne d’adresse, Adresse ligne';

/** Words between the names of a postal code and of a town: "Postcode en plaats". */
export const AND = 'en, und, and, et, e, y, i';

/** Words for an address as a whole. They stand before or after the name of a part: "Primary Address Street". */
export const ADDRESS_WORDS = 'Address, Adres, Adresse, Anschrift, d’adresse, Addr';

/**
 * Words for a kind of address. They stand before or after the name of a part: "Work City". If a row has several
 * addresses, `RANKS` in `postalHeadings.ts` says which kind the node takes.
 */
export const ADDRESS_KINDS = {
	primary: 'primary, main, default, hoofd, standaard, Haupt, Standard, principal, principale',
	billing:
		'billing, bill to, invoice, invoicing, factuur, facturatie, Rechnung, Rechnungs, facturation, de facturation',
	work: 'work, business, office, zakelijk, zakelijke, werk, op werk, werkadres, geschäftlich, geschäftl, gesch, Geschäfts, dienstlich, dienstl, Büro, bureau, professionnel, professionnelle, pro',
	home: 'home, private, personal, thuis, huisadres, privé, persoonlijk, persoonlijke, privat, domicile, du domicile, personnel, personnelle, perso',
	mailing:
		'mailing, mail address, post, postal, postale, correspondence, correspondentie, Korrespondenz, correspondance, de correspondance',
	visiting: 'visiting, visit, bezoek, Besuch, Besuchs, de visite',
	shipping:
		'shipping, ship to, delivery, bezorg, aflever, lever, verzend, Liefer, Versand, livraison, de livraison',
	other:
		'other, secondary, alternate, alternative, second, overig, overige, ander, andere, ander adres, tweede, weitere, zweite, autre, secondaire',
} as const;
