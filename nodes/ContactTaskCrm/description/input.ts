import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { labelOf } from '../contract/label';
import type { RecordContract } from '../contract/record';
import { fieldsOf, namesWhere } from '../contract/record';

/**
 * Whether the record comes from fields or from JSON, and the JSON.
 *
 * @param example a record of this kind as JSON, to begin with
 */
export function input(displayOptions: IDisplayOptions, example: string): INodeProperties[] {
	return [
		{
			displayName: 'Input Mode',
			name: 'inputMode',
			type: 'options',
			noDataExpression: true,
			default: 'fields',
			description: 'Whether to give the record field by field or as JSON',
			displayOptions,
			options: [
				{
					name: 'Fields',
					value: 'fields',
					description: 'Give each field in a parameter of its own',
				},
				{
					name: 'JSON',
					value: 'json',
					description: 'Give the whole record as JSON, for what the fields cannot say',
				},
			],
		},
		{
			displayName: 'JSON Body',
			name: 'jsonBody',
			type: 'json',
			typeOptions: { rows: 6 },
			default: '',
			required: true,
			placeholder: `e.g. ${example}`,
			description: `The record as a JSON object with the field names of the service, such as ${example}. What the fields cannot say can be given here: embedded records, and fields that are not documented. References take an ID or an IRI.`,
			displayOptions: {
				show: { ...displayOptions.show, inputMode: ['json'] },
			},
		},
	];
}

/** "Clear Fields": the fields to empty, since an empty parameter means that nothing was given. */
export function clearFields(
	contract: RecordContract,
	displayOptions: IDisplayOptions,
): INodeProperties {
	return {
		displayName: 'Clear Fields',
		name: 'clearFields',
		type: 'multiOptions',
		default: [],
		description: 'Fields to empty, whatever they hold now',
		displayOptions,
		options: labelled(
			namesWhere(fieldsOf(contract, 'update'), ({ emptiedBy }) => emptiedBy !== undefined),
		),
	};
}

/** Names of fields as options, under the labels that their parameters have. */
export function labelled(names: readonly string[]): Array<{ name: string; value: string }> {
	return names
		.map((value) => ({ name: labelOf(value), value }))
		.sort((one, other) => one.name.localeCompare(other.name, 'en'));
}
