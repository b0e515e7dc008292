import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** How "Create or Update" finds the person. */
export function matchParameters(displayOptions: IDisplayOptions): INodeProperties[] {
	return [
		{
			displayName: 'Find By',
			name: 'matchBy',
			type: 'options',
			default: 'email',
			description: 'What tells whether the person already exists',
			displayOptions,
			options: [
				{ name: 'Email', value: 'email', description: 'One of the e-mail addresses' },
				{
					name: 'Identifier',
					value: 'identifier',
					description:
						'An e-mail address, a phone number or an identifier on a professional network',
				},
			],
		},
		{
			displayName: 'Value to Find',
			name: 'matchValue',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. e.jansen@example.com',
			description:
				'The e-mail address or identifier to look for, such as e.jansen@example.com. The person who has it is updated; if nobody has it, a person is created with it; if several have it, nothing is written.',
			displayOptions,
		},
	];
}
