/* eslint-disable @n8n/community-nodes/no-restricted-globals -- measures the time of the processor */
import { addressIn } from '../../../nodes/ContactTaskCrm/tables/wholeAddress';
import {
	isGarbled,
	withoutEntities,
	withoutRole,
} from '../../../nodes/ContactTaskCrm/tables/noNames';
import { nameUnder } from '../../../nodes/ContactTaskCrm/tables/fullNameHeadings';
import { plainName } from '../../../nodes/ContactTaskCrm/tables/plainName';
import { isEmail, isMeantAsEmail, withoutWords } from '../../../nodes/ContactTaskCrm/values/email';
import { spellingsOf } from '../../../nodes/ContactTaskCrm/values/identifier';
import { parsedList } from '../../../nodes/ContactTaskCrm/values/json';
import {
	comparableTitle,
	contactsIn,
	bracketedIn,
	splitTitles,
} from '../../../nodes/ContactTaskCrm/values/list';
import { numberOf } from '../../../nodes/ContactTaskCrm/values/number';
import {
	isNumberWithWords,
	phoneOf,
	withoutKindWords,
} from '../../../nodes/ContactTaskCrm/values/phone';
import { isPlaceholder, isUnfilled } from '../../../nodes/ContactTaskCrm/values/placeholder';
import { comparableId, idOf } from '../../../nodes/ContactTaskCrm/values/reference';
import { cleanContact, isBlank, visibleText } from '../../../nodes/ContactTaskCrm/values/text';
import {
	instantOf,
	inZone,
	isDateTime,
	writtenDate,
} from '../../../nodes/ContactTaskCrm/values/time';
import { sampled } from '../../support/drawn';

/** Functions that read any text of a user or a service. */
const READERS: Record<string, (text: string) => unknown> = {
	...{ cleanContact, isEmail, isMeantAsEmail, spellingsOf, parsedList, comparableTitle },
	...{
		contactsIn,
		bracketedIn,
		splitTitles,
		numberOf,
		isNumberWithWords,
		phoneOf,
		withoutKindWords,
		writtenDate,
	},
	...{ isPlaceholder, comparableId, isBlank, instantOf, isDateTime },
	...{ addressIn, withoutEntities, isGarbled, withoutRole, plainName, withoutWords },
	...{ isUnfilled, visibleText },
	nameUnder: (text) => nameUnder('Name', text),
	idOf: (text) => idOf(text, '/people'),
	inZone: (text) => inZone(text, 'utc'),
};

/** Parts that a text repeats. Each is a part of some rule, which might try every way to read it. */
const REPEATED = [
	...[' ', '\n', '\n ', '\r\n', '(', '[', '<', '>', '"', ',', ':', '0', '1', 'a', '@', '.', '-'],
	...['+', '/', ' / ', 'a@', 'a.', '.a', '1.', '.000', '1 ', '(0)', '+31 (0)', 'x1', 'a\n', '\n@'],
	...['? ', '?a', '! ', '*', '{', '%', 'a, ', '1,', ' 1234', '&a', '\u00A0', ' (a'],
	...['(/', '-1234', 'tel:', '\u200B', '\uFF11', '/people/', 'a@x.nl>', 'a-b.', '\n/ ', 'e\u0301'],
];
const STARTS = ['', 'a', '1', '+', 'a@x', 'a (/', '2026-01-01', 'http://a', '"', '<'];
const ENDS = ['', '!', '@', '\0', 'x', '>'];

/** Number of signs. A rule that tries each sign with each other one takes more than a second of a processor. */
const LENGTH = 40_000;
const MOST_MS = 800;

it.each(Object.keys(READERS))('The function %s reads any long text without delay', (name) => {
	const slow = sampled(REPEATED).filter((part, index) => {
		const [start, end] = [STARTS[index % STARTS.length], ENDS[index % ENDS.length]];
		return ['', start].some((first) =>
			['!', end].some((last) => {
				const text = first + part.repeat(LENGTH / part.length) + last;
				const begun = process.cpuUsage();
				READERS[name](text);
				return process.cpuUsage(begun).user / 1_000 > MOST_MS;
			}),
		);
	});
	expect(slow).toEqual([]);
});
