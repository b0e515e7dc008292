import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { person } from '../../contract/person';
import { namesWhere } from '../../contract/record';
import { labelled } from '../../description/input';

/** How "Create or Update" finds the person. */
export function matching(displayOptions: IDisplayOptions): INodeProperties[] {
	return [
		{
			displayName: 'Match By',
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
			displayName: 'Match Value',
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

/** Which lists "Create or Update" replaces instead of adding to them. */
export function listModes(displayOptions: IDisplayOptions): INodeProperties {
	const lists = namesWhere(person.fields, ({ isList, bodies }) => isList && bodies.length > 0);
	return {
		displayName: 'Lists to Replace',
		name: 'replaceLists',
		type: 'multiOptions',
		default: [],
		description:
			'Lists that take the place of those an existing person has. What is given of other lists is added to them. The value that the person was found by always stays.',
		displayOptions,
		options: labelled(lists),
	};
}
