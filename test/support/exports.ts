/** The headings of an export of another program, or of a usual spreadsheet. */
interface Export {
	/** Columns of a person, and the headings that give them their values. */
	taken: Record<string, string>;
	/** Headings that stay unused: the CRM has no field for them, or they could mean several fields. */
	left: string[];
	/** Cells that help to decide what a column means, by heading: "Mobile" under "Phone 1 - Label". */
	values?: Record<string, string>;
}

export const EXPORTS: Record<string, Export> = {
	HubSpot: {
		taken: {
			...{ familyName: 'Last Name', givenName: 'First Name', honorificPrefix: 'Salutation' },
			...{ jobTitle: 'Job Title', email: 'Email + Work email', phone: 'Phone Number' },
			...{ mobile: 'Mobile Phone Number', fax: 'Fax Number', owner: 'Contact owner' },
			...{ street: 'Street Address', postalCode: 'Postal Code', city: 'City' },
			...{ country: 'Country/Region', externalSource: 'Original Source' },
			...{ networkId: 'LinkedIn URL', emailAddresses: 'Additional email addresses' },
			totalDeals: 'Number of Associated Deals',
		},
		left: [
			...['Record ID', 'Company Name', 'State/Region', 'Website URL', 'Lifecycle Stage'],
			...['Lead Status', 'Create Date', 'Marketing contact status'],
		],
	},
	Pipedrive: {
		taken: {
			...{ familyName: 'Person - Last name', givenName: 'Person - First name' },
			...{ email: 'Person - Email - Work + Person - Email - Home', owner: 'Person - Owner' },
			...{ phone: 'Person - Phone - Other', mobile: 'Person - Phone - Mobile' },
			...{ workPhone: 'Person - Phone - Work', homePhone: 'Person - Phone - Home' },
			...{ jobTitle: 'Person - Job title', totalWonDeals: 'Person - Won deals' },
			totalLostDeals: 'Person - Lost deals',
			street:
				'Person - Street/road name of Postal address + Person - House number of Postal address',
			city: 'Person - City/town/village/locality of Postal address',
			postalCode: 'Person - ZIP/Postal code of Postal address',
			country: 'Person - Country of Postal address',
		},
		left: [
			...['Person - State/county of Postal address', 'Person - Region of Postal address'],
			'Person - Full/combined address of Postal address',
			...['Person - Name', 'Person - Organization', 'Person - Labels', 'Person - ID'],
			...['Person - Postal address', 'Organization - Address'],
		],
	},
	'Google Contacts': {
		taken: {
			...{ familyName: 'Last Name', givenName: 'First Name', additionalName: 'Middle Name' },
			...{ honorificPrefix: 'Name Prefix', jobTitle: 'Organization Title' },
			...{ email: 'E-mail 1 - Value + E-mail 2 - Value', mobile: 'Phone 1 - Value' },
			...{ workPhone: 'Phone 2 - Value', street: 'Address 1 - Street' },
			...{ city: 'Address 1 - City', postalCode: 'Address 1 - Postal Code' },
			country: 'Address 1 - Country',
		},
		left: [
			...['Name Suffix', 'Nickname', 'File As', 'Organization Name', 'Birthday', 'Notes', 'Photo'],
			...['Organization Department', 'Labels', 'E-mail 1 - Label', 'Address 1 - Label'],
			...['Address 1 - Region', 'Address 2 - City', 'Website 1 - Value'],
		],
		values: { 'Phone 1 - Label': 'Mobile', 'Phone 2 - Label': 'Work' },
	},
	'Google Contacts, as it was': {
		taken: {
			...{ familyName: 'Family Name', givenName: 'Given Name', additionalName: 'Additional Name' },
			...{ honorificPrefix: 'Name Prefix', initials: 'Initials', phone: 'Phone 1 - Value' },
			...{ jobTitle: 'Organization 1 - Title', email: 'E-mail 1 - Value' },
			...{ street: 'Address 1 - Street', city: 'Address 1 - City' },
			...{ postalCode: 'Address 1 - Postal Code', country: 'Address 1 - Country' },
		},
		left: [
			...['Name', 'Group Membership', 'E-mail 1 - Type', 'Address 1 - Formatted', 'Phone 1 - Type'],
			'Organization 1 - Name',
		],
		values: { 'Phone 1 - Type': 'Main' },
	},
	Outlook: {
		taken: {
			...{ honorificPrefix: 'Title', givenName: 'First Name', additionalName: 'Middle Name' },
			...{ familyName: 'Last Name', jobTitle: 'Job Title', initials: 'Initials' },
			...{ street: 'Business Street + Business Street 2', city: 'Business City' },
			...{ postalCode: 'Business Postal Code', country: 'Business Country/Region' },
			...{ fax: 'Business Fax + Home Fax', workPhone: 'Business Phone + Business Phone 2' },
			...{ homePhone: 'Home Phone', mobile: 'Mobile Phone', phone: 'Primary Phone + Other Phone' },
			email: 'E-mail Address + E-mail 2 Address + E-mail 3 Address',
		},
		left: [
			...['Suffix', 'Company', 'Department', 'Business State', 'Home Street', 'Home City'],
			...['Home Postal Code', 'Home Country/Region', 'Company Main Phone', 'Categories', 'Notes'],
			...['E-mail Type', 'E-mail Display Name', 'Web Page', "Assistant's Phone", 'Pager'],
		],
		values: { Title: 'Mr' },
	},
	'Outlook in Dutch': {
		taken: {
			...{ honorificPrefix: 'Titel', givenName: 'Voornaam', additionalName: 'Middelste naam' },
			...{ familyName: 'Achternaam', jobTitle: 'Functie', street: 'Werkadres, straat' },
			...{ city: 'Werkadres, plaats', postalCode: 'Werkadres, postcode' },
			...{ country: 'Werkadres, land/regio', fax: 'Fax op werk', mobile: 'Mobiele telefoon' },
			...{ workPhone: 'Telefoon op werk + Telefoon op werk 2', homePhone: 'Telefoon thuis' },
			email: 'E-mailadres + E-mailadres 2',
		},
		left: ['Bedrijf', 'Afdeling', 'Achtervoegsel', 'Huisadres, straat', 'Categorieën'],
		values: { Titel: 'drs.' },
	},
	'Outlook in German': {
		taken: {
			...{ honorificPrefix: 'Anrede', givenName: 'Vorname', additionalName: 'Weitere Vornamen' },
			...{ familyName: 'Nachname', jobTitle: 'Position', street: 'Straße geschäftlich' },
			...{ city: 'Ort geschäftlich', postalCode: 'Postleitzahl geschäftlich' },
			...{ country: 'Land/Region geschäftlich', fax: 'Fax geschäftlich' },
			...{ workPhone: 'Telefon geschäftlich', homePhone: 'Telefon (privat)' },
			...{ mobile: 'Mobiltelefon', email: 'E-Mail-Adresse + E-Mail 2: Adresse' },
		},
		left: ['Firma', 'Abteilung', 'Suffix', 'Straße privat', 'Ort privat', 'Kategorien'],
	},
	Salesforce: {
		taken: {
			...{ honorificPrefix: 'Salutation', givenName: 'First Name', familyName: 'Last Name' },
			...{ jobTitle: 'Title', street: 'Mailing Street', city: 'Mailing City' },
			...{ postalCode: 'Mailing Zip/Postal Code', country: 'Mailing Country' },
			...{ phone: 'Phone + Other Phone', fax: 'Fax', mobile: 'Mobile', homePhone: 'Home Phone' },
			...{ email: 'Email', owner: 'Contact Owner', externalSource: 'Lead Source' },
		},
		left: [
			...['Account Name', 'Mailing State/Province', 'Birthdate', 'Department', 'Contact ID'],
			'Assistant',
		],
	},
	LinkedIn: {
		taken: {
			...{ givenName: 'First Name', familyName: 'Last Name', networkId: 'URL' },
			...{ email: 'Email Address', jobTitle: 'Position' },
		},
		left: ['Company', 'Connected On'],
	},
	Mailchimp: {
		taken: {
			...{ email: 'Email Address', givenName: 'First Name', familyName: 'Last Name' },
			...{ phone: 'Phone Number', tags: 'TAGS' },
		},
		left: ['Address', 'MEMBER_RATING', 'OPTIN_TIME', 'LATITUDE', 'NOTES', 'Birthday'],
	},
	'merge tags of Mailchimp': {
		taken: { email: 'EMAIL', givenName: 'FNAME', familyName: 'LNAME', phone: 'PHONE' },
		left: ['ADDRESS', 'BIRTHDAY'],
	},
	'a web form': {
		taken: {
			...{ familyName: 'Last name (required)', email: 'Email ID [Required]' },
			...{ phone: 'Contact number', mobile: 'Cell number', workPhone: 'Direct dial' },
			...{ jobTitle: 'Designation', city: 'Town/City', street: 'Straat + huisnummer (verplicht)' },
		},
		left: ['Message'],
	},
	Xing: {
		taken: {
			...{ givenName: 'Vorname', familyName: 'Nachname' },
			email: 'Geschäftliche E-Mail + Private E-Mail + Sekundäre E-Mail-Adresse',
		},
		left: ['Firma'],
	},
	'a spreadsheet in Dutch': {
		taken: {
			...{ honorificPrefix: 'Aanhef', initials: 'Voorletters', givenName: 'Voornaam' },
			...{ additionalName: 'Tussenvoegsel', familyName: 'Achternaam', email: 'E-mailadres' },
			...{ phone: 'Telefoonnummer', mobile: 'Mobiel', workPhone: 'Telefoon werk' },
			...{ street: 'Straat + Huisnummer + Toevoeging', postalCode: 'Postcode' },
			...{ city: 'Woonplaats', country: 'Land', jobTitle: 'Functie', owner: 'Accountmanager' },
			...{ customerId: 'Klantnummer', externalSource: 'Bron' },
		},
		left: ['Bedrijf', 'Opmerkingen', 'Geboortedatum', 'Provincie'],
	},
	'a short spreadsheet in Dutch': {
		taken: {
			...{ givenName: 'Voornaam', familyName: 'Naam', email: 'E-mail', phone: 'Tel.' },
			...{ mobile: '06-nummer', street: 'Adres', postalCode: 'Postcode', city: 'Plaats' },
		},
		left: [],
	},
	'a spreadsheet in German': {
		taken: {
			...{ honorificPrefix: 'Anrede', givenName: 'Vorname', familyName: 'Name', email: 'E-Mail' },
			...{ phone: 'Telefon', mobile: 'Handy', street: 'Straße + Hausnummer', postalCode: 'PLZ' },
			...{ city: 'Ort', country: 'Land', jobTitle: 'Beruf', customerId: 'Kundennummer' },
			...{ externalSource: 'Quelle', fax: 'Telefax' },
		},
		left: ['Titel', 'Firma', 'Notizen', 'Geburtstag'],
		values: { Titel: 'Dr.' },
	},
	'a spreadsheet in French': {
		taken: {
			...{ honorificPrefix: 'Civilité', givenName: 'Prénom', familyName: 'Nom' },
			...{ email: 'Adresse e-mail', phone: 'Téléphone', mobile: 'Téléphone portable' },
			...{ workPhone: 'Téléphone (bureau)', street: 'Adresse', postalCode: 'Code postal' },
			...{ city: 'Ville', country: 'Pays', jobTitle: 'Fonction', customerId: 'N° client' },
			externalSource: 'Source',
		},
		left: ['Société', 'Remarques', 'Date de naissance'],
	},
};
