import '../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import { mapped } from '../support/n8n/operation';
import { byId } from '../support/n8n/locators';
import { emailsOf, numberedPeople, sync } from '../support/runs/bulkScene';
import { registerPeople } from '../support/platform/platformRecords';
import { registered } from '../support/platform/registrants';
import { sandboxOfFile } from '../support/platform/sandbox';
import { upcomingSession } from '../support/platform/seededIds';

/* Somebody whose address stands in a row that is not sent is on the list, and is not removed whatever the options are. */

const others = numberedPeople(10);
const meant = { email: 'ada@example.com' };
const leaves = { email: 'leaves@example.com' };

const sandbox = sandboxOfFile({ rate: 1_000 });
beforeEach(() => sandbox.reset());

const wholeItems = { fields: mapped(null) };
const sessionOfRow = { sessionId: byId(`={{ $json.session ?? '${upcomingSession}' }}`) };
const furtherAnswers = (...values: string[]) => ({
	additionalFields: {
		furtherAnswers: { answer: values.map((value) => ({ id: 'email', value })) },
	},
});

test.each<[string, IDataObject, object]>([
	[
		'under Further Answers, and the session is empty',
		{ mail: meant.email, session: '' },
		{ ...sessionOfRow, ...furtherAnswers('={{ $json.mail ?? $json.email }}') },
	],
	[
		'under Further Answers after another one',
		{ email: 'private@example.org', mail: meant.email },
		furtherAnswers('={{ $json.email }}', '={{ $json.mail ?? $json.email }}'),
	],
	[
		'in a second column for the email',
		{ email: 'private@example.org', 'Work Email': meant.email },
		wholeItems,
	],
	['in an object', { email: { work: `Ada <${meant.email}>` } }, wholeItems],
	['in a column with another name', { contact: meant.email }, wholeItems],
	[
		'in an item whose session is empty, and an expression fails',
		{ ...meant, born: 'long ago', session: '' },
		{
			...sessionOfRow,
			fields: mapped({
				email: '={{ $json.email }}',
				born: '={{ ($json.born ?? "2000-01-01").toDateTime().toFormat("yyyy") }}',
			}),
		},
	],
])(
	'who is removed despite problems is nobody whose address stands %s',
	async (_, odd, parameters) => {
		await registerPeople(sandbox, [...others, meant, leaves]);
		const options = { removeOthers: true, removeDespiteProblems: true, mostRemovals: 5 };
		const list = [...others, odd];
		const { error, records } = await sync(sandbox, list, options, { parameters });
		expect(error).toBeUndefined();
		expect(records.find(({ row }) => row === list.length)?.status).toBe('invalid');
		expect(await registered(sandbox)).toEqual(emailsOf([...others, meant]));
	},
);

test('a row with two addresses, of which one is registered, keeps the owner of the other one alone', async () => {
	await registerPeople(sandbox, [...others, meant, leaves]);
	const [first, ...rest] = others;
	const list = [...rest, { ...first, 'Work Email': meant.email }];
	const options = { removeOthers: true, mostRemovals: 5 };
	const { records } = await sync(sandbox, list, options, { parameters: wholeItems });
	expect(records.find(({ email }) => email === leaves.email)?.status).toBe('removed');
	expect(await registered(sandbox)).toEqual(emailsOf([...others, meant]));
});
