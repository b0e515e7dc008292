import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

const email: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. name@email.com',
	description: 'E-mail address of the person, such as name@email.com',
};

/**
 * The one e-mail address and phone number that most people have, to be filled in at once. They come before
 * those of the lists.
 */
export function firstParts(displayOptions: IDisplayOptions): INodeProperties[] {
	return [
		{ ...email, displayOptions, routing: { send: { type: 'body', property: 'email' } } },
		{
			displayName: 'Phone',
			name: 'phone',
			type: 'string',
			default: '',
			placeholder: 'e.g. +31 6 12345678',
			description:
				'Phone number of the person, such as +31 6 12345678; Phone Numbers takes several, each with its type',
			displayOptions,
			routing: { send: { type: 'body', property: 'phone' } },
		},
	];
}

/** All e-mail addresses of a person. */
export const emailAddresses: INodeProperties = {
	displayName: 'Email Addresses',
	name: 'emailAddresses',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Email Address' },
	default: [],
	placeholder: 'e.g. name@email.com',
	description: 'E-mail addresses of the person, such as name@email.com',
};

const phoneParts: INodeProperties[] = [
	{
		displayName: 'Phone Number',
		name: 'phoneNumber',
		type: 'string',
		default: '',
		placeholder: 'e.g. +31 6 12345678',
		description: 'One phone number, such as +31 6 12345678',
	},
	{
		displayName: 'Phone Type',
		name: 'phoneType',
		type: 'options',
		default: 'mobile',
		description: 'What kind of number it is: fax, home, mobile or work',
		options: [
			{ name: 'Fax', value: 'fax' },
			{ name: 'Home', value: 'home' },
			{ name: 'Mobile', value: 'mobile' },
			{ name: 'Work', value: 'work' },
		],
	},
];

/** All phone numbers of a person. */
export const phoneNumbers: INodeProperties = {
	displayName: 'Phone Numbers',
	name: 'phoneNumbers',
	// Not a fixed collection: one without entries is lost when the next field is added.
	type: 'collection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Phone Number' },
	placeholder: 'Add Part',
	default: { phoneNumber: '', phoneType: 'mobile' },
	description: 'Phone numbers of the person, each with its type',
	options: phoneParts,
};

/** The e-mail address to add to a person. */
export function emailToAdd(displayOptions: IDisplayOptions): INodeProperties {
	return { ...email, required: true, displayOptions };
}

/** The phone number to add to a person, with its type. */
export function phoneToAdd(displayOptions: IDisplayOptions): INodeProperties[] {
	const [phoneNumber, phoneType] = phoneParts;
	return [
		{ ...phoneNumber, required: true, displayOptions },
		{ ...phoneType, displayOptions },
	];
}
