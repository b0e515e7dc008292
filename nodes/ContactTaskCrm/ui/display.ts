import type { IDisplayOptions, INodeProperties, NodeParameterValue } from 'n8n-workflow';

/** When a parameter of some operations of a resource is shown. */
export interface Place {
	always: IDisplayOptions;
	/** Unless the record is given as JSON or as columns. */
	asField: IDisplayOptions;
	unlessJson: IDisplayOptions;
	unlessColumns: IDisplayOptions;
	forJson: IDisplayOptions;
	forColumns: IDisplayOptions;
}

/** What entries of a collection reach by a "/", since it does not stand beside them. */
const ABOVE = ['resource', 'operation', 'inputMode'];

/** When an entry of a collection is shown, from when it would be shown outside. */
export function withinCollection({ show, hide }: IDisplayOptions): IDisplayOptions {
	const above = (conditions: NonNullable<IDisplayOptions['show']>) =>
		Object.fromEntries(
			Object.entries(conditions).map(([name, values]) => [
				ABOVE.includes(name) ? `/${name}` : name,
				values,
			]),
		);
	return { ...(show && { show: above(show) }), ...(hide && { hide: above(hide) }) };
}

/** Parameters for some operations of a resource, each by its value; none where there is no such operation. */
export function shownFor(
	{ value: resource }: { value: string },
	operations: ReadonlyArray<{ value: string }>,
	parameters: (place: Place) => INodeProperties[],
): INodeProperties[] {
	if (operations.length === 0) return [];
	const show = { resource: [resource], operation: operations.map(({ value }) => value) };
	const where = (inputMode: NodeParameterValue) => ({ show: { ...show, inputMode: [inputMode] } });
	// Hidden for these rather than shown for fields, since not every operation has the choice.
	const unless = (...inputMode: NodeParameterValue[]) => ({ show, hide: { inputMode } });
	return parameters({
		always: { show },
		asField: unless('columns', 'json'),
		unlessJson: unless('json'),
		unlessColumns: unless('columns'),
		forJson: where('json'),
		forColumns: where('columns'),
	});
}
