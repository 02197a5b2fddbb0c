import '../../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import { sandboxOfFile } from '../../support/platform/sandbox';
import { registered } from '../../support/platform/registrants';
import { registerPeople } from '../../support/platform/platformRecords';
import { mapped, operate } from '../../support/n8n/operation';
import { upcomingSession } from '../../support/platform/seededIds';
import { byId } from '../../support/n8n/locators';

/** Which rows of a list are people, and which of them and of their columns leave the node. */

const sandbox = sandboxOfFile();
beforeEach(() => sandbox.reset());

interface ListRun {
	options?: object;
	output?: string;
	settings?: object;
	fields?: object;
}

function run(operation: string, items: IDataObject[], more: ListRun = {}) {
	const { settings, ...parameters } = { fields: mapped(null), ...more };
	const of = { sessionId: byId(upcomingSession), ...parameters };
	return operate(sandbox, `registration.${operation}`, of, { items, settings });
}

const person = (email: string, more: IDataObject = {}): IDataObject => {
	return { Email: email, Company: 'Engines', ...more };
};

describe('an address that cannot be one', () => {
	const problems = [
		['max@firma', `"max@firma" is not an email address: 'firma' has no dot.`],
		['a@b.io; c@d.io', '"a@b.io; c@d.io" holds 2 email addresses instead of one.'],
	];
	const people = problems.map(([email = '']) => person(email));

	test.each(['bulkRegister', 'sync'])('is told, and never sent (%s)', async (operation) => {
		const { records, sent } = await run(operation, [person('ada@example.com'), ...people]);
		expect(records.slice(1).map(({ email, status, reason }) => [email, status, reason])).toEqual(
			problems.map(([email, reason]) => [email, 'invalid', reason]),
		);
		expect(sent.filter((request) => request.startsWith('POST'))).toHaveLength(1);
		expect(await registered(sandbox)).toEqual(['ada@example.com']);
	});

	test('is that of a registered person all the same, whom Sync does not remove', async () => {
		await registerPeople(sandbox, [{ email: 'c@d.io' }, { email: 'bob@example.com' }]);
		const options = { removeOthers: true, mostRemovals: 5, removeDespiteProblems: true };
		const { records } = await run('sync', people, { options });
		expect(records.map(({ email, status }) => [email, status])).toEqual([
			['max@firma', 'invalid'],
			['a@b.io; c@d.io', 'invalid'],
			['bob@example.com', 'removed'],
		]);
		expect(await registered(sandbox)).toEqual(['c@d.io']);
	});

	test('is told by Validate Only', async () => {
		const { records } = await run('bulkRegister', people, { options: { validateOnly: true } });
		expect(records.map(({ reason }) => reason)).toEqual(problems.map(([, reason]) => reason));
	});
});

describe('empty rows', () => {
	const empty: IDataObject[] = [{ Email: '', Company: ' ' }, {}, { Email: null, row_number: 4 }];
	const list = [person('ada@example.com'), ...empty];

	test.each([
		['bulkRegister', 'registered'],
		['sync', 'added'],
	])('at the end of a list are nobody (%s)', async (operation, status) => {
		const { records, hints, items, error } = await run(operation, list);
		expect(error).toBeUndefined();
		expect(records.map((record) => record.status)).toEqual([status]);
		expect(items[0]?.pairedItem).toEqual({ item: 0 });
		expect(hints).toContain('The last 3 rows are empty and were left out.');
		expect(hints[0]).toMatch(new RegExp(`^1 ${status}, `));
	});

	test('count as nobody in a summary', async () => {
		const { records } = await run('bulkRegister', list.slice(0, 2), { output: 'summary' });
		expect(records).toMatchObject([{ total: 1, registered: 1, invalid: 0 }]);
	});

	test('between others are rows without an email', async () => {
		const { records } = await run('bulkRegister', [...list, person('eve@example.com')]);
		expect(records.map(({ status }) => status)).toEqual([
			'registered',
			'invalid',
			'invalid',
			'invalid',
			'registered',
		]);
	});

	test('that have something in another column are people without an email', async () => {
		const last: IDataObject[] = [
			{ Company: 'Engines' },
			{ Points: 0 },
			{ Member: false },
			{ Tags: [] },
		];
		for (const row of last) {
			const { records, hints } = await run('bulkRegister', [person('ada@example.com'), row]);
			expect(records[1]?.status).toBe('invalid');
			expect(hints.join()).not.toContain('left out');
		}
	});

	test('that get their email from elsewhere are people', async () => {
		const fields = mapped({ email: '={{ "p" + $itemIndex + "@example.com" }}' });
		const { records } = await run('bulkRegister', [{}, {}], { fields });
		expect(records.map(({ email, status }) => [email, status])).toEqual([
			['p0@example.com', 'registered'],
			['p1@example.com', 'registered'],
		]);
	});

	test('alone are an error, so that nobody takes an empty list for a done one', async () => {
		const { error } = await run('bulkRegister', empty.slice(0, 2));
		expect(error?.message).toBe('Nobody was registered: 1 invalid');
	});

	test.each([
		['nothing', empty[0] ?? {}],
		['the number of its row alone', { row_number: 4 }],
	])(
		'keep everybody in a Sync that removes, because a row with %s may have lost its person',
		async (_, row) => {
			await registerPeople(sandbox, [{ email: 'ada@example.com' }, { email: 'bob@example.com' }]);
			const options = { removeOthers: true, mostRemovals: 5 };
			const { records } = await run('sync', [person('ada@example.com'), row], { options });
			expect(records.map(({ email, status }) => [email, status])).toEqual([
				['bob@example.com', 'kept'],
				['ada@example.com', 'updated'],
				[null, 'invalid'],
			]);
			expect(await registered(sandbox)).toEqual(['ada@example.com', 'bob@example.com']);
		},
	);
});

describe('the columns of rows to correct', () => {
	const list = [
		person('ada@example.com', { status: 'Lead', Note: 'vip' }),
		person('max@firma', { status: 'Lead', Note: 'call', row: 2, Nested: { a: 1 } }),
		person('grace@a_host.example', { email_input: 'kept', reason: '' }),
		person('ada@example.com', { Note: 'again' }),
	];
	const options = { includeDetails: true };

	test.each(['bulkRegister', 'sync'])(
		'stand beside the reason where details are wanted (%s)',
		async (operation) => {
			const { records } = await run(operation, list, { options });
			const [ada, max, grace, again] = records;
			expect(max).toMatchObject({
				email: 'max@firma',
				status: 'invalid',
				row: 2,
				Email: 'max@firma',
				Company: 'Engines',
				Note: 'call',
				Nested: { a: 1 },
				// Our column stays, and theirs is not lost.
				status_input: 'Lead',
			});
			expect(max).not.toHaveProperty('row_input');
			expect(grace).toMatchObject({ status: 'failed', email_input: 'kept', reason_input: '' });
			for (const record of [ada, again]) expect(record).not.toHaveProperty('Note');
		},
	);

	test('have their names, whatever those are', async () => {
		const odd = { constructor: 'Ada & Co', toString: 'x' };
		const rows = [person('ada@example.com'), person('max@firma', odd)];
		const { records } = await run('bulkRegister', rows, { options });
		expect(Object.entries(records[1] ?? {})).toEqual(expect.arrayContaining(Object.entries(odd)));
	});

	test('do not move a row before the others, because a column is called as the error is', async () => {
		const rows = [person('ada@example.com'), person('max@firma', { error: { status: 'kept' } })];
		const { records } = await run('sync', rows, { options });
		expect(records.map(({ email, status }) => [email, status])).toEqual([
			['ada@example.com', 'added'],
			['max@firma', 'invalid'],
		]);
	});

	test('are not there without details', async () => {
		const { records } = await run('bulkRegister', list);
		expect(records[1]).toHaveProperty('status');
		expect(Object.keys(records[1] ?? {})).toEqual(Object.keys(records[0] ?? {}));
	});

	test('come in the file of those who are not registered, and in a check', async () => {
		const failed = await run('bulkRegister', list, { options, output: 'failed' });
		expect(failed.records.map(({ Email }) => Email)).toEqual(['max@firma', 'grace@a_host.example']);
		const check = { options: { ...options, validateOnly: true }, output: 'failed' };
		const { records } = await run('bulkRegister', list, check);
		expect(records).toMatchObject([{ status: 'invalid', Note: 'call' }]);
	});

	test('do not replace the error of an item, and are no second time inside it on the error output', async () => {
		const rows = [person('ada@example.com'), person('max@firma', { error: 'mine' })];
		const onRegular = await run('bulkRegister', rows, {
			options,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(onRegular.records[1]).toMatchObject({
			error: /^max@firma was not/,
			error_input: 'mine',
		});
		const onError = await run('bulkRegister', rows, {
			options,
			settings: { onError: 'continueErrorOutput' },
		});
		const [item] = onError.outputs[1] ?? [];
		expect(item?.json).toMatchObject({ Email: 'max@firma', Company: 'Engines' });
		expect(item?.json.error).not.toHaveProperty('Company');
	});
});

describe('the output Only Changes of Sync', () => {
	const list = [
		person('same@example.com'),
		person('Same@example.com'),
		person('other@example.com'),
		person('new@example.com'),
		person('max@firma'),
	];
	beforeEach(() =>
		registerPeople(sandbox, [
			{ email: 'same@example.com', company: 'Engines' },
			{ email: 'other@example.com', company: 'Old' },
			{ email: 'gone@example.com' },
		]),
	);
	const outcomes = async (options: object, rows = list) => {
		const { records, error } = await run('sync', rows, { output: 'changes', options });
		expect(error).toBeUndefined();
		return records.map(({ email, status }) => [email, status]);
	};

	test('has everybody who is not unchanged, nor repeats somebody unchanged', async () => {
		expect(await outcomes({ removeOthers: true })).toEqual([
			['gone@example.com', 'kept'],
			['other@example.com', 'updated'],
			['new@example.com', 'added'],
			['max@firma', 'invalid'],
		]);
	});

	test('of a dry run has what would change', async () => {
		const options = { removeOthers: true, dryRun: true };
		expect(await outcomes(options, list.slice(0, 4))).toEqual([
			['gone@example.com', 'would_remove'],
			['other@example.com', 'would_update'],
			['new@example.com', 'would_add'],
		]);
	});

	test('has who was removed, and in the next run nobody', async () => {
		const options = { removeOthers: true };
		expect(await outcomes(options, list.slice(0, 4))).toEqual([
			['other@example.com', 'updated'],
			['new@example.com', 'added'],
			['gone@example.com', 'removed'],
		]);
		expect(await outcomes(options, list.slice(0, 4))).toEqual([]);
	});
});
