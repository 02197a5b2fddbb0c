import { plainTextOf } from '../../nodes/EventPlatform/core/calendar/plainText';
import {
	linksOfSession,
	parseWebAddress,
} from '../../nodes/EventPlatform/core/calendar/sessionEntry';
import { apiRoot } from '../../nodes/EventPlatform/core/client/baseUrl';
import { Failure } from '../../nodes/EventPlatform/core/client/failure';
import { howRegisteredIsTold } from '../../nodes/EventPlatform/core/dialect/alreadyRegistered';
import { hasErrors, readErrors } from '../../nodes/EventPlatform/core/dialect/errors';
import {
	readLimitCounts,
	parseHeaderTime,
} from '../../nodes/EventPlatform/core/dialect/limitHeaders';
import * as refusals from '../../nodes/EventPlatform/core/dialect/refusals';
import { parseSeconds, parseUnixMs } from '../../nodes/EventPlatform/core/dialect/time';
import { parseSignature } from '../../nodes/EventPlatform/core/dialect/webhooks';
import { failureText } from '../../nodes/EventPlatform/core/failures/messages';
import { fileName } from '../../nodes/EventPlatform/core/files/fileName';
import * as address from '../../nodes/EventPlatform/core/people/address';
import { isSameBeyondDoubt } from '../../nodes/EventPlatform/core/people/changes';
import { areOneMistakeApart } from '../../nodes/EventPlatform/core/people/typingMistakes';
import { fieldsOf, showAll } from '../../nodes/EventPlatform/core/records/simplify';
import { readPerson } from '../../nodes/EventPlatform/core/report/reportedPerson';
import { writeParagraph } from '../../nodes/EventPlatform/core/report/html';
import { parseDate } from '../../nodes/EventPlatform/core/values/dates';
import { redact } from '../../nodes/EventPlatform/core/values/secrets';
import { isVisible, quote, replaceAddresses } from '../../nodes/EventPlatform/core/values/text';
import { readYesOrNo } from '../../nodes/EventPlatform/core/values/yesNo';
import { withoutKey } from '../../nodes/EventPlatform/core/webhooks/proof';
import { isMeant } from '../../nodes/EventPlatform/editor/searchWords';
import { zoneNamedLike } from '../../nodes/EventPlatform/fields/typedDates';
import { textsIn } from '../../nodes/EventPlatform/fields/parameterValues';
import { cleanAnswer } from '../../nodes/EventPlatform/form/cleanAnswer';
import { findCloseName, isNameOfEmail } from '../../nodes/EventPlatform/form/columnNames';
import { hostileText, hostileTexts } from '../support/runs/hostileText';
import { expectLinearTime } from '../support/time/linearTime';

const request = { method: 'POST', path: '/sessions/s/people' } as const;
const question = {
	id: 'city',
	label: 'City',
	isRequired: false,
	mayHaveSeveral: true,
};

/** Everything that reads a text of the platform, of a stranger or of a list, by what it does. */
const readers: Array<[what: string, read: (text: string) => unknown]> = [
	['secrets are struck out of a text', (text) => redact(text, ['a known token'])],
	['an error is quoted', quote],
	['addresses are taken out of a text', (text) => replaceAddresses(text, 'somebody')],
	['it is told whether a text can be seen', isVisible],
	['a description becomes plain text', plainTextOf],
	['an address of the web is read', parseWebAddress],
	[
		'links to calendars are made',
		(text) => linksOfSession({ name: text, started_at: 1, timezone: text }, text),
	],
	['a base URL is read', (text) => tried(() => apiRoot(`https://a.example.com/${text}`))],
	[
		'errors are read',
		(text) => [
			readErrors({ errors: [{ title: text, detail: text, code: text }] }),
			hasErrors(text),
		],
	],
	[
		'a refusal is explained',
		(text) =>
			failureText(
				new Failure('refused', request, {
					status: 422,
					errors: [{ title: text, detail: text, code: text }],
				}),
			),
	],
	[
		'words about registered people are read',
		(text) => howRegisteredIsTold([{ detail: text, code: text, title: text }]),
	],
	['words about sessions, scopes and pages are read', (text) => wordsOf(text)],
	[
		'limits are read',
		(text) => [
			readLimitCounts({ headers: { 'ratelimit-limit': text, 'retry-after': text } }),
			parseHeaderTime('retry-after', { headers: { 'retry-after': text } }, 0),
		],
	],
	[
		'a time is read',
		(text) => [
			parseSeconds(text),
			parseUnixMs(text),
			parseDate(text, 'UTC'),
			parseDate(`2026-01-01 10:00 ${text}`, 'UTC'),
		],
	],
	['a signature is read', parseSignature],
	['a name of a file is made', (text) => fileName(text, 'file')],
	[
		'an address of a person is read',
		(text) => [
			address.cleanAddress(text),
			address.isAddress(text),
			address.addressesIn(text),
			address.describeNoAddress(text),
		],
	],
	[
		'two answers are compared',
		(text) => isSameBeyondDoubt(text, `${text}x`, { id: 'city', type: 'text' }),
	],
	['two addresses are compared', (text) => areOneMistakeApart(text, `${text}x`)],
	[
		'a record is shown',
		(text) => showAll(fieldsOf({ id: 'a', type: 'people', attributes: { name: text, url: text } })),
	],
	[
		'a person is reported',
		(text) => readPerson({ id: 'a', type: 'people', attributes: { email: text, referrer: text } }),
	],
	['a page is written', (text) => writeParagraph(text)],
	['yes and no are read', readYesOrNo],
	['a key is taken out of a URL', withoutKey],
	[
		'a name is looked for in a list',
		(text) => isMeant({ name: text, value: 'a' }, text.slice(0, 100)),
	],
	['a time zone is looked for', zoneNamedLike],
	['a list in a text is divided', (text) => textsIn(text)],
	[
		'an answer is cleaned',
		(text) => [cleanAnswer(text, text), cleanAnswer('City', text, question)],
	],
	[
		'a column is recognised',
		(text) => [isNameOfEmail(text), findCloseName(text, ['City', 'Email'])],
	],
];

function wordsOf(text: string): unknown {
	const errors = [{ detail: text, title: text, code: text }];
	const lines = refusals.linesOf(errors);
	return [
		refusals.namesScope(errors),
		refusals.scopeIn(errors),
		refusals.mentionsSession(errors),
		refusals.closedSessionIn(errors),
		refusals.saysUnknownField(lines),
		refusals.quotationsIn(lines),
		refusals.saysBlocked(errors),
		refusals.saysNoPage(errors),
	];
}

function tried(read: () => unknown): unknown {
	try {
		return read();
	} catch (error) {
		return error;
	}
}

test.each(readers)('%s in linear time, whatever a megabyte of it consists of', async (_, read) => {
	for (const [what, hostile] of hostileTexts) {
		await expectLinearTime((length) => read(hostileText(hostile, length)), what);
	}
});
