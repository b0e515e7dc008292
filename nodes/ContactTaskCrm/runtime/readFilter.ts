import type { IDataObject } from 'n8n-workflow';
import { ExplainedError } from '../common/errors';
import { isBlank, isObject } from '../contract/blank';
import type { Filter } from '../contract/filter';
import type { RecordContract } from '../contract/record';
import { systemClock } from '../transport/clock';
import type { LocateByEmail } from './locate';

/** When and where a filter is applied. */
export interface Moment {
	/** ms since 1970. */
	wallTime: number;
	/** Of the workflow, in which a day without a time is meant. */
	timezone: string;
}

/** A filter that the service lacks: the node applies it to what it reads. */
export interface ReadFilter extends Pick<Filter, 'kind' | 'label' | 'takesSeveral' | 'refersTo'> {
	/** The field that each record shows, without which nobody could tell who passes. */
	shownIn?: string;
	/** Finds a person by e-mail address, where one is taken as a value. */
	locateByEmail?: LocateByEmail;
	/** Whether a record passes, by values as they stand for parameters of the kind. */
	passes: (record: IDataObject, values: readonly string[], moment: Moment) => boolean;
}

/** A filter of this kind with the values it was given. */
export interface AppliedReadFilter {
	filter: ReadFilter;
	values: readonly string[];
}

/**
 * Whether a record passes all filters; undefined where there are none.
 *
 * @param timezone of the workflow
 */
export function passesAll(
	filters: readonly AppliedReadFilter[],
	timezone: string,
): ((record: unknown) => boolean) | undefined {
	if (filters.length === 0) return undefined;
	const moment = { wallTime: systemClock.wallTime(), timezone };
	return (record) =>
		isObject(record) &&
		filters.every(({ filter, values }) => filter.passes(record as IDataObject, values, moment));
}

/**
 * Makes sure that the records of a page show what a filter looks at: else the list would look empty.
 *
 * @throws ExplainedError naming the filter
 */
export function assertShown(
	records: readonly unknown[],
	filters: readonly AppliedReadFilter[],
	{ plural }: RecordContract,
): void {
	if (records.length === 0) return;
	for (const { filter } of filters) {
		const { label, shownIn } = filter;
		const isShown = (record: unknown) => isObject(record) && !isBlank(record[shownIn ?? '']);
		if (shownIn === undefined || records.some(isShown)) continue;
		throw new ExplainedError(
			`${label}: the service shows no ${shownIn} of the ${plural}, so that the filter cannot be applied`,
			'Remove the filter, and select the records behind the node',
		);
	}
}
