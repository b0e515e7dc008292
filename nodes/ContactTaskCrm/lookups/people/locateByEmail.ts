import { ExplainedError, UnusableParameter } from '../../common/errors';
import { isAddress, matchKey } from '../../common/identifiers';
import { person as contract } from '../../contract/person';
import { shownId } from '../../runtime/answer';
import type { LocateByEmail } from '../../runtime/locate';
import type { Lookup } from './lookUpTogether';
import { lookupsOf } from './runLookups';
import { isWrittenSince, markWrites } from './writes';

/** Finds a person by e-mail address, thirty items of a run with one request. */
export const locateByEmail: LocateByEmail = (search) => {
	const { run, key, email, label, isToBeWritten, intend } = search;
	const value = email.trim();
	if (!isAddress(value)) {
		throw new UnusableParameter(
			`${label}: expected an e-mail address, got "${value}"`,
			'Correct the address, or choose the person from the list or by ID',
		);
	}
	const lookup: Lookup = {
		key,
		matchBy: 'email',
		value,
		isToBeWritten,
		intend: (person) => (person ? intend(person) : 'refuse'),
	};
	const lookups = lookupsOf(run);
	const begun = markWrites();
	lookups.noticeSpelling(value);
	lookups.announce(lookup);
	return {
		targets: [`person by ${matchKey(value)}`],
		whenEnded: () => lookups.end(key),
		find: async (connection) => {
			const { identity } = connection;
			const looked = await lookups.find(connection, lookup);
			const { person, mark } = await lookups.withWrittenSince(connection, lookup, looked, begun);
			const id = shownId(person, contract);
			if (!person || id === undefined) {
				throw new ExplainedError(
					`Nobody has the e-mail address "${value}"`,
					'Check the address, or create the person first with Create or Update',
				);
			}
			return { id, current: () => (isWrittenSince(identity, id, mark) ? undefined : person) };
		},
	};
};
