/*
 * Headings that tables use for columns of the CRM: in exports of other programs, and in spreadsheets of many
 * languages. The hint before a run, the preview and the run use these lists. All three compare headings in the form
 * of `plainName`, so case, accents and signs do not count.
 */

/**
 * Other headings of each column, keyed by the column's name. The best match stands first. The column's own name and
 * label match even better. A name or label that stands in the list keeps its place there.
 *
 * "Status", "Statut" and "List Name" stand last under `status`, because they often mean something else. Beside a
 * heading "Stage", a cell under "Status" may hold "Open" or "Won". Beside "Status", a cell under "List Name" may hold
 * the list of the task.
 */
export const ALSO_CALLED: Readonly<Record<string, string>> = {
	additionalName:
		'Middle Name, Middle Names, Infix, Tussenvoegsel, Tussenvoegsels, Tussenv, Middelste naam, Tweede voornaam, Zweiter Vorname, Weitere Vornamen, Deuxième prénom, Second prénom, Autres prénoms, Namensvorsatz, Namenszusatz, Middle, Segundo nombre, Secondo nome',
	assignees:
		'Assignee, Assigned To, Owner, Eigenaar, Toegewezen aan, Verantwoordelijke, Zugewiesen an, Zuständig, Verantwortlich, Besitzer, Assigné à, Attribué à, Responsable, Propriétaire, Members',
	customerId:
		'Customer Number, Customer No, Client Number, Client ID, Klantnummer, Klantnr, Klant-ID, Klantcode, Relatienummer, Relatienr, Debiteurnummer, Debiteurennummer, Debiteurnr, Kundennummer, Kundennr, Kd.-Nr, Kunden-ID, Numéro client, Numéro de client, N° client, Code client, Référence client, Número de cliente, Código de cliente, Codice cliente, Numer klienta',
	dealSizeEstimation:
		'Deal Size, Amount, Value, Bedrag, Waarde, Dealwaarde, Betrag, Wert, Auftragswert, Montant, Valeur',
	description:
		'Notes, Note, Task Content, Body, Omschrijving, Beschrijving, Notities, Opmerkingen, Toelichting, Beschreibung, Notizen, Bemerkungen, Remarques',
	dueDate:
		'Due, Deadline, Close Date, Expected Close Date, Vervaldatum, Einddatum, Streefdatum, Sluitingsdatum, Verwachte sluitingsdatum, Fällig, Fällig am, Fälligkeit, Fälligkeitsdatum, Frist, Abschlussdatum, Échéance, Date d’échéance, Date limite, Date de clôture',
	email:
		'Mail, Email Address, Email ID, Mail Address, Email Value, Primary Email, Primary Email Address, Primäre E-Mail-Adresse, Primäre E-Mail, Primair e-mailadres, E-mail principal, E-mailadres, Mailadres, Emailadresse, Mailadresse, Courriel, Adresse e-mail, Adresse mail, Adresse électronique, Adresse de messagerie, Mél, From Email Address, Email (Enter Email), Correo electrónico, Correo, Dirección de correo electrónico, Indirizzo e-mail, Indirizzo email, Posta elettronica, Correio eletrónico, Correio eletrônico, Endereço de e-mail, Adres e-mail, E-posta, E-posta adresi, E-post, E-postadress, E-mailadresse',
	emailAddresses:
		'Additional Email Addresses, Other Emails, Other Email Addresses, Emails, E-mailadressen, Adresses e-mail',
	externalSource:
		'Source, Original Source, Original Traffic Source, Lead Source, Bron, Leadbron, Herkomst, Quelle, Leadquelle, Herkunft, Origine, Provenance',
	familyName:
		'Last Name, LName, Surname, Achternaam, Familienaam, Familiename, Nachname, Familienname, Zuname, Nom de famille, Nom d’usage, Name (Last), Name - Last Name, Name (Adressattyp natürl. Person), Apellidos, Apellido, Primer apellido, Cognome, Sobrenome, Apelido, Nazwisko, Efternamn, Efternavn, Etternavn, Soyad, Soyadı',
	fax: 'Fax Number, Fax No, Faxnummer, Faxnr, Telefax, Télécopie, Télécopieur, Numéro de fax',
	givenName:
		'First Name, FName, First Names, Given Names, Forename, Forenames, Christian Name, Voornaam, Voornaam/roepnaam, Voornamen, Roepnaam, Vorname, Vornamen, Rufname, Prénom, Prénoms, Name (First), Name - First Name, Vorname (Adressattyp natürl. Person), Nombre de pila, Nome proprio, Nome próprio, Primeiro nome, Imię, Förnamn, Fornavn, Adı',
	honorificPrefix:
		'Honorific, Salutation Name, Form of Address, Aanhef, Aanspreektitel, Aanspreking, Anrede, Civilité, Titel/Akad. Grad, Akad. Grad, Akad. Titel, Akademischer Grad, Akademischer Titel, Academic Title, Academische titel, Titulatuur, Tratamiento, Tratamento',
	initials: 'Voorletters, Voorl, Initialen, Initiales, Voorletter(s)',
	jobTitle:
		'Organization Title, Current Job Title, Position, Job, Job Position, Job Role, Role, Function, Designation, Occupation, Functie, Functietitel, Functienaam, Functieomschrijving, Rol, Beroep, Funktion, Rolle, Stellenbezeichnung, Berufsbezeichnung, Beruf, Fonction, Métier, Poste, Titre du poste, Intitulé du poste, Profession, Cargo, Puesto, Ruolo, Qualifica, Mansione, Stanowisko, Stilling, Befattning, Unvan, Görevi',
	mobile:
		'Mobile Phone, Mobile Number, Mobile Phone Number, Mobile No, Cell Phone, Cell Number, Cell, SMS, GSM, WhatsApp, WhatsApp Number, WhatsApp Phone Number, Mobiel, Mob, Mob nr, Tel mob, Natel, Mobiele telefoon, Mobiel nummer, Mobiele nummer, Mobielnummer, Mobiel nr, Mobiele tel, Mobiel telefoonnummer, Gsm-nummer, Gsm-nr, 06-nummer, Mobil, Mobil-Nr, Mobiltelefon, Mobilnummer, Mobilfunk, Mobilfunknummer, Mobiltelefonnummer, Handy, Handynummer, Handynr, Portable, Téléphone portable, Téléphone mobile, Tél. portable, Tél. mobile, Numéro de portable, Numéro de mobile, Phone (iPhone), iPhone, Text Reminder Number, Móvil, Teléfono móvil, Celular, Teléfono celular, Cellulare, Telefono cellulare, Telemóvel, Telefone celular, Telefon komórkowy, Komórka, Cep Telefonu',
	networkId:
		'LinkedIn, LinkedIn ID, LinkedIn URL, LinkedIn Profile, LinkedIn Profile URL, LinkedIn Contact Profile URL, LinkedIn-profiel, LinkedIn-Profil, Profil LinkedIn',
	owner:
		'Account Manager, Eigenaar, Accountmgr, Relatiebeheerder, Verantwoordelijke, Besitzer, Zuständig, Betreuer, Kundenbetreuer, Verantwortlich, Propriétaire, Responsable, Commercial',
	person:
		'Email, Email Address, Person Email, Contact Email, Mail, E-mailadres, Mailadresse, Courriel, Adresse e-mail',
	phone:
		'Phone Number, Contact Number, Contact No, Landline, Phone No, Telephone, Telephone Number, Tel, Tel No, Phone Value, Address Phone, Default Address Phone, Primary Phone, Primary Phone Number, Main Phone, Hoofdtelefoon, Haupttelefon, Haupttelefonnummer, Téléphone principal, Telefoon, Telefoonnummer, Telefoonnr, Telnr, Vast nummer, Vaste telefoon, Tel. vast, Telefon, Telefonnummer, Telefonnr, Rufnummer, Festnetz, Festnetznummer, Téléphone, Numéro de téléphone, N° tél, N° de téléphone, Tél. fixe, Téléphone fixe, Contact Phone Number, Rückrufnummer, Teléfono, Teléfono fijo, Telefono fisso, Telefone, Telefone fixo, Numero di telefono, Número de teléfono, Telefon stacjonarny, Numer telefonu',
	phoneNumbers: 'Other Phones, Other Phone Numbers, Additional Phone Numbers',
	segments:
		'Segment, List, Lists, Mailing List, Mailing Lists, Lijst, Lijsten, Mailinglijst, Liste, Listen, Mailingliste, Verteiler, Listes, Liste de diffusion',
	status:
		'Stage, Fase, Kolom, Phase, Spalte, Étape, Colonne, Section/Column, Section, Sectie, Abschnitt, Bucket Name, Bucket, Status, Statut, List Name',
	storyPointEstimation:
		'Story Points, Story Point Estimate, Custom field (Story Points), Custom field (Story point estimate), Storypunten',
	tags: 'Tag, Trefwoorden, Schlagwort, Schlagwörter, Schlagworte, Étiquette, Étiquettes, Mots-clés, Etiquetas, Etichette, Etykiety, Etiketler, Etiketter',
	title:
		'Task, Subject, Task Name, Card Name, Deal Name, Opportunity Name, Titel, Taak, Taaknaam, Dealnaam, Onderwerp, Aufgabe, Aufgabenname, Betreff, Titre, Tâche, Nom de la tâche, Objet, Sujet, Summary, Content, Name, Naam, Nom',
	totalDeals: 'Number of Associated Deals, Number of Deals, Aantal deals',
	totalLostDeals: 'Lost Deals, Verloren deals',
	totalWonDeals: 'Won Deals, Gewonnen deals',
	workPhone:
		'Direct Phone, Direct Phone Number, Work Direct Phone, Corporate Phone, Direct Line, Direct Dial, Doorkiesnummer, Tel. direct, Durchwahl, Ligne directe, Direct telefoonnummer, Direct nummer, Telefoon direct, Doorkies',
};

/**
 * Headings of the customer who gets the invoice of an order. In a row that also names a person, this customer counts
 * as another person.
 */
export const BILLED = {
	givenName: 'First Name (Billing), Billing First Name',
	familyName: 'Last Name (Billing), Billing Last Name',
	fullName: 'Name (Billing), Billing Name, Billing Full Name',
	email: 'Email (Billing), Billing Email, Billing Email Address',
	phone: 'Phone (Billing), Billing Phone, Billing Phone Number',
} as const;

/**
 * Headings with several possible meanings. A heading in `names` means `column` only if the row also has a heading in
 * `beside`. A heading in `names` does not count if another heading certainly means `column`.
 */
export const MEANT_BESIDE: ReadonlyArray<[names: string, column: string, beside: string]> = [
	['Name', 'familyName', 'Vorname'],
	['Naam', 'familyName', 'Voornaam, Roepnaam'],
	['Nom', 'familyName', 'Prénom'],
	['Nombre', 'givenName', 'Apellidos, Apellido, Primer apellido'],
	['Nome', 'givenName', 'Cognome, Sobrenome, Apelido'],
	['Ad', 'givenName', 'Soyad'],
	['First', 'givenName', 'Last'],
	['Last', 'familyName', 'First'],
	['URL', 'networkId', 'Connected On'],
	// In the files of some programs, such as Calendly, "User Email" is the address of the host. So this heading means
	// the person only beside "User Login" or "Name (Original Name)".
	['User Email', 'email', 'User Login, Name (Original Name)'],
	...Object.entries(BILLED).map(([column, names]): [string, string, string] => [
		...([names, column, `${BILLED.familyName}, ${BILLED.fullName}`] as const),
	]),
];

/** Text that a cell has to hold for one meaning of its heading. An infix is the "van der" in front of a family name. */
export type KindOfCell = 'salutation' | 'infix' | 'no salutation' | 'no infix';

/**
 * Headings with several meanings. `column` takes the cell only if its text is of the kind `cell`. Under "Title" stands
 * a salutation or a job title. Under "Prefix" stands a salutation such as "Dr.", or an infix such as "van der".
 */
export const MEANT_BY_CELL: ReadonlyArray<[names: string, column: string, cell: KindOfCell]> = [
	['Title, Titel, Titre, Titolo, Título', 'honorificPrefix', 'salutation'],
	['Title, Titel, Titre, Titolo, Título', 'jobTitle', 'no salutation'],
	['Name Prefix, Prefix', 'additionalName', 'infix'],
	['Name Prefix, Prefix', 'honorificPrefix', 'no infix'],
	['Voorvoegsel, Voorvoegsels', 'additionalName', 'infix'],
	['Voorvoegsel, Voorvoegsels', 'honorificPrefix', 'salutation'],
];

/**
 * Headings of the full name of a person, the surest first. "Name" stands near the end, because it may also hold the
 * name of a company. "Display Name" stands behind it, because it may also hold a login, or a company before the name.
 */
export const FULL_NAME =
	'Full Name, Contact Person, Contact Name, First and Last Name, First/Last Name, First Name Last Name, First Name Surname, Forename Surname, Given Name Family Name, Name Surname, Name and Surname, Volledige naam, Contactpersoon, Naam contactpersoon, Voor- en achternaam, Voor-/achternaam, Voornaam en achternaam, Voornaam Achternaam, Voornaam Naam, Voornaam en naam, Vollständiger Name, Ansprechpartner, Vor- und Nachname, Vor-/Nachname, Vor- und Zuname, Vor-/Zuname, Vorname Nachname, Vorname und Nachname, Vorname Name, Vorname und Name, Vorname Zuname, Vorname Familienname, Nom complet, Prénom et nom, Prénom Nom, Nombre y apellidos, Nombre y apellido, Nombre Apellidos, Nombre Apellido, Nombres y apellidos, Nombre completo, Nome e cognome, Nome Cognome, Nome e sobrenome, Nome Sobrenome, Nome e apelido, Nome completo, Imię i nazwisko, Imię Nazwisko, För- och efternamn, Förnamn Efternamn, For- og efternavn, Fornavn Efternavn, For- og etternavn, Fornavn Etternavn, Ad Soyad, Adı Soyadı, Name (Original Name), Name, Naam, Nom, Nombre, Nome, Namn, Navn, Display Name';
/** Headings of a full name with the family name in front. */
export const FAMILY_NAME_FIRST =
	'Last Name First Name, Last/First Name, Last First, Surname First Name, Surname Name, Surname and Name, Family Name Given Name, Achternaam en voornaam, Achternaam Voornaam, Naam en voornaam, Naam Voornaam, Name Vorname, Name und Vorname, Nachname Vorname, Nachname und Vorname, Zuname Vorname, Familienname Vorname, Nom et prénom, Nom Prénom, Apellidos y nombre, Apellidos y nombres, Apellidos Nombre, Apellido Nombre, Apellido y nombre, Cognome e nome, Cognome Nome, Nazwisko i imię, Nazwisko Imię, Soyad Ad, Efternamn Förnamn, Efternavn Fornavn, Etternavn Fornavn';

/**
 * Headings of the name of a person or company. A preview shows this name to identify the row, even if no column of
 * the CRM takes the name.
 */
export const WHOLE_NAME = `${FULL_NAME}, ${FAMILY_NAME_FIRST}, File As, Contact, Klantnaam, Kontakt`;

/** Words for a kind of e-mail address or phone number, before or after a column name: "Home Phone", "Phone - Home". */
export const KIND_WORDS = {
	work: 'work, business, office, zakelijk, zakelijke, werk, op werk, geschäftlich, geschäftliche, geschäftl, gesch, dienstlich, dienstl, Büro, bureau, professionnel, professionnelle, pro, travail',
	home: 'home, private, personal, thuis, privé, persoonlijk, persoonlijke, privat, domicile, personnel, personnelle, perso',
	mobile: 'mobile, cell, mobiel, mobil, portable, port',
	other: 'other, secondary, alternate, overig, overige, ander, andere, weitere, sekundäre, autre',
	fax: 'fax, work fax, home fax, other fax',
} as const;

/**
 * Words for a person in a heading. A word with a number from 2, such as "Contact 2", means a second person. Words of
 * different groups, as in "Contact Email" and "Lead Email", may mean two people. The row is then about the person of
 * the group that stands first here.
 */
export const PERSON_GROUPS = [
	'Contact Person, Contactpersoon, Ansprechpartner, Kontaktperson, Personne de contact, Kontakt, Contact',
	'Persoon, Personne, Person',
	'Lead',
	'Customer, Client, Klant',
	'Attendee, Invitee, Participant, Registrant, Deelnemer, Teilnehmer, Invité',
	'Applicant, Candidate, Aanvrager, Kandidaat, Bewerber, Antragsteller, Candidat',
	'Student, Pupil, Leerling, Schüler, Élève, Patient',
	'Member, Donor, Subscriber, Lid, Donateur, Mitglied, Spender, Membre, Adhérent',
] as const;
export const PERSON = PERSON_GROUPS.join(', ');
/**
 * Words that mean the person of the row if a heading begins with them: "Person - Phone", "Contact Owner". Web forms use
 * "Your name" or "What is your name?".
 */
export const OF_PERSON = `${PERSON}, Your, Uw, Jouw, Je, Ihre, Ihr, Votre, What is your, What’s your, And your, And what is your, And what’s your, Enter your, Please enter your, Best, At which, En je, En wat is je, Op welk, Wat is uw, Wat is jouw, Wat is je, Wie ist Ihr, Wie ist Ihre, Wie lautet Ihr, Wie lautet Ihre, Was ist Ihre, Unter welcher, Quel est votre, Quelle est votre`;
/**
 * Words that mean the person of the row if a heading ends with them: "Voornaam contactpersoon", "Op welk nummer kunnen
 * we je bereiken?". Tables with such headings often list companies.
 */
export const BEHIND_PERSON =
	'Contactpersoon, Van contactpersoon, Contact Person, Contact, Ansprechpartner, Kontaktperson, Personne de contact, Du contact, Contact principal, Deelnemer, Teilnehmer, Participant, Aanvrager, Kandidaat, Bewerber, Antragsteller, Candidat, Leerling, Schüler, Élève, Patient, Lid, Mitglied, Donateur, Spender, Adhérent, To reach you, Can we reach you, Kunnen we je bereiken, Kunnen we u bereiken, Können wir Sie erreichen, Erreichen wir Sie';
/**
 * Words for somebody else than the person of the row, if a heading begins or ends with them: "Spouse Email", "Telefoon
 * partner".
 */
export const OTHER_PEOPLE =
	'Spouse, Partner, Husband, Wife, Assistant, Secretary, Manager, Supervisor, Emergency, Emergency Contact, In case of emergency, Billing Contact, Invoice Contact, Second Contact, Secondary Contact, Alternate Contact, Other Contact, Echtgenoot, Echtgenote, Assistent, Assistente, Secretaresse, Leidinggevende, Noodcontact, Contact bij nood, Noodgeval, Factuurcontact, Facturatiecontact, Contactpersoon facturatie, Tweede contact, Tweede contactpersoon, Ehepartner, Ehegatte, Ehemann, Ehefrau, Lebenspartner, Assistentin, Sekretärin, Vorgesetzter, Vorgesetzte, Notfall, Notfallkontakt, Rechnungskontakt, Zweiter Kontakt, Conjoint, Conjointe, Époux, Épouse, Partenaire, Assistante, Supérieur, Supérieure, Supérieur hiérarchique, Contact d’urgence, Urgence, Contact de facturation, Contact facturation, Deuxième contact, Second contact';
/** Headings of the workspace of a task. The node puts its title before that of the column: "Sales / Won". */
export const WORKSPACE =
	'Workspace, Workspace Title, Werkruimte, Arbeitsbereich, Espace de travail';
/** Words that mean the task if a heading begins with them: "Deal Stage". */
export const OF_TASK = 'Deal, Task, Card, Opportunity, Taak, Aufgabe, Tâche';
