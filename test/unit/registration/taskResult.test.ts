import {
	sharedResult,
	distinctReasons,
	readTaskResult,
	type TaskResult,
} from '../../../nodes/EventPlatform/core/registration/taskResult';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

describe('the result of a task', () => {
	const person = { type: 'people', id: 'p1', attributes: { email: ' Ada@Example.com' } };
	const failed = (...codes: string[]): TaskResult => ({
		status: codes.includes('already_registered') ? 'already_registered' : 'failed',
		reasons: codes.map((code) => ({ code, message: `because ${code}` })),
	});
	const good: TaskResult = { status: 'registered', reasons: [] };

	describe('reading a result', () => {
		test.each<[string, JsonObject]>([
			['as specified', { status: 'succeeded', data: { data: person } }],
			['with the record itself', { status: 'succeeded', data: person }],
			['in attributes', { type: 'tasks', attributes: { status: 'succeeded', data: person } }],
		])('of somebody registered, %s', (_, sent) => {
			expect(readTaskResult(sent)).toEqual({
				status: 'registered',
				email: 'ada@example.com',
				person: { id: 'p1', type: 'people', email: ' Ada@Example.com' },
				reasons: [],
			});
		});

		const answered = { registrant_detail: { fields: [{ id: 'email', value: 'B@x.io' }] } };
		test.each<[string, JsonObject, string | undefined]>([
			['an attribute', { attributes: { email: 'A@x.io' } }, 'a@x.io'],
			['an answer of the form', { attributes: answered }, 'b@x.io'],
			['an answer that is no text', { attributes: { fields: { email: 7 } } }, undefined],
			['nowhere', { attributes: { email: '' } }, undefined],
		])('the address is %s', (_, data, email) => {
			expect(readTaskResult({ status: 'succeeded', data })?.email).toBe(email);
		});

		test('of somebody registered without a record', () => {
			expect(readTaskResult({ status: 'succeeded', data: null })).toEqual(good);
			expect(readTaskResult({ status: 'succeeded', data: [person] })).toEqual(good);
		});

		const pending = { status: 'pending', attributes: { status: 'failed' } };
		test.each<JsonObject>([{}, { status: 'processing' }, pending])('%j is not finished', (sent) => {
			expect(readTaskResult(sent)).toBeUndefined();
		});

		test.each<[JsonObject, string, string]>([
			[{ code: 'c', title: 't', message: 'm', detail: 'd' }, 'c', 'm'],
			[{ code: 'c' }, 'c', 'c'],
			[{}, 'failed', 'The platform gave no reason.'],
			[{ title: 't' }, 't', 't'],
			[{ code: 'c', message: { email: ['taken'] } }, 'c', '{"email":["taken"]}'],
		])('the reason %j is %s: %s', (error, code, message) => {
			const sent: JsonObject = { status: 'failed', errors: [error, 'not an object'] };
			const result = readTaskResult(sent);
			expect(result).toEqual({ status: 'failed', reasons: [{ code, message }] });
		});
	});

	test('who is there already is neither registered nor failed, and the words stay', () => {
		const read = (...errors: JsonObject[]) => readTaskResult({ status: 'failed', errors });
		const taken = { code: 422, message: 'Email has already been taken' };
		expect(read({ code: 'already_registered', message: 'Is there' })).toEqual({
			status: 'already_registered',
			reasons: [{ code: 'already_registered', message: 'Is there' }],
		});
		expect(read(taken)).toMatchObject({ status: 'already_registered', isByWords: true });
		expect(read({ ...taken, source: { pointer: '/fields/phone' } })?.status).toBe('failed');
		expect(read({ ...taken, field: 'phone' })?.status).toBe('failed');
		expect(read({ ...taken, status: 'session_full' })?.status).toBe('failed');
		const seats = { code: 'session_full', message: 'All seats are already taken' };
		expect(read(seats)).toEqual({ status: 'failed', reasons: [seats] });
	});

	test('each reason is told once, and ten at most of many', () => {
		const codes = (results: TaskResult[]) => distinctReasons(results).map(({ code }) => code);
		expect(codes([failed('a', 'b'), good, failed('b', 'c')])).toEqual(['a', 'b', 'c']);
		const sameCode: TaskResult = { status: 'failed', reasons: [{ code: 'a', message: 'another' }] };
		expect(distinctReasons([failed('a'), sameCode])).toHaveLength(2);
		const ten = Array.from({ length: 10 }, (_, index) => failed(`code ${index}`));
		expect(codes(ten)).toEqual(ten.map(({ reasons }) => reasons[0]?.code));
		expect(codes([...ten, failed('more')])).toEqual([...codes(ten), 'more_reasons']);
		expect(distinctReasons([...ten, failed('x'), failed('y')]).at(-1)?.message).toBe(
			'2 more reasons are not listed.',
		);
	});

	describe('what is true of all', () => {
		test('of one is their own result, of nobody nothing', () => {
			const result = { ...good, email: 'ada@example.com' };
			expect(sharedResult([result])).toBe(result);
			expect(sharedResult([])).toBeUndefined();
		});

		test('their status, without anybody’s record', () => {
			const named = { ...good, email: 'x', person: { id: 'p' } };
			expect(sharedResult([named, good])).toEqual(good);
			expect(sharedResult([failed('a'), failed('a')])).toEqual(failed('a'));
			const there = failed('already_registered');
			expect(sharedResult([there, { ...there, isByWords: true }])).toMatchObject({
				isByWords: true,
			});
		});

		test('a reason that differs in the addresses alone, without anybody’s address', () => {
			const about = (message: string) => ({ ...failed(), reasons: [{ code: 'c', message }] });
			const shared = sharedResult([
				about("ada@x.io is banned, says 'root@x.io'."),
				about("bob@x.io is banned, says 'eve@x.io'."),
			]);
			expect(shared).toEqual(about("The address is banned, says 'the address'."));
		});

		test('all reasons where they differ, and that one of them applies', () => {
			const shared = sharedResult([failed('a'), failed('b')]);
			expect(shared?.status).toBe('failed');
			expect(shared?.reasons.map(({ code }) => code)).toEqual(['one_of_these', 'a', 'b']);
			expect(shared?.reasons[0]?.message).toContain('One of these applies:');
		});

		test('nothing where some are registered and some are not', () => {
			expect(sharedResult([good, good, failed('a')])).toBeUndefined();
			expect(sharedResult([failed('already_registered'), failed('a')])).toBeUndefined();
		});
	});
});

describe('the addresses that a record mentions', () => {
	/** The addresses that the record in a result mentions, where it shows none of its person. */
	const addressesWithin = (data: JsonObject) =>
		readTaskResult({ status: 'succeeded', data })?.mentions ?? [];

	const madeUp = '1720628126+528d3ec6-b983-4353-bcbf-eddb1566d013@unknown.livestorm.co';

	test.each<[string, JsonObject, string[]]>([
		['of the record', { id: 'p1', contact: 'Ada@X.io' }, ['ada@x.io']],
		['deep in it', { attributes: { person: { contact: { to: ' ada@x.io' } } } }, ['ada@x.io']],
		['of two people', { contact: 'ada@x.io', invited_by: 'bob@x.io' }, ['ada@x.io', 'bob@x.io']],
		['once', { contact: 'ada@x.io', custom_email: 'Ada@x.io' }, ['ada@x.io']],
		['that the platform has not made up', { email: madeUp, contact: 'ada@x.io' }, ['ada@x.io']],
		['but none beside the email of the person', { email: 'ada@x.io', contact: 'bob@x.io' }, []],
		['but not of a link that logs in', { connection_link: 'https://x.io/?email=ada@x.io' }, []],
		['but not of what is a secret', { password_key: 'ada@x.io' }, []],
		['but not of a sentence', { note: 'Ask ada@x.io about it' }, []],
		['but not of a long text', { note: `${'x'.repeat(500)}@x.io` }, []],
		['but not of nothing', { email: null, id: 7, ok: true }, []],
	])('the addresses of a record are found: %s', (_, record, addresses) => {
		expect(addressesWithin(record)).toEqual(addresses);
	});

	/** So many addresses on one level. */
	const many = (count: number) => Array.from({ length: count }, (_, nth) => `p${nth}@x.io`);

	describe('of a record with many addresses', () => {
		test('all of the level are found on which there are twenty', () => {
			expect(addressesWithin({ list: many(25) })).toEqual(many(25));
		});

		test.each([
			[19, true],
			[20, false],
			[25, false],
		])('below a level with %i the next level is looked at: %j', (count, isLookedAt) => {
			const addresses = addressesWithin({
				list: many(count),
				below: { deeper: { to: 'ada@x.io' } },
			});
			expect(addresses).toEqual([...many(count), ...(isLookedAt ? ['ada@x.io'] : [])]);
		});

		test('the same address counts once', () => {
			const same = Array(25).fill('ada@x.io') as string[];
			const addresses = addressesWithin({ list: same, below: { deeper: { to: 'bob@x.io' } } });
			expect(addresses).toEqual(['ada@x.io', 'bob@x.io']);
		});
	});

	describe('a record without end costs no more than a large one', () => {
		test('where it is wide', () => {
			const wide = Array.from({ length: 100_000 }, (_, nth) => ({ to: `p${nth}@x.io` }));
			expect(addressesWithin({ contact: 'ada@x.io', wide })).toEqual(['ada@x.io']);
		});

		test('where it is deep', () => {
			let deep: JsonObject = { contact: 'deep@x.io' };
			for (let level = 0; level < 2_000; level++) deep = { deep };
			expect(addressesWithin({ contact: 'ada@x.io', deep })).toEqual(['ada@x.io']);
		});

		// The record, its two members, the values of its list and an object beside them are looked at before the address.
		test.each([
			[1_995, true],
			[1_996, false],
		])('after %i values an address below them is found: %j', (count, isFound) => {
			const list = Array<number>(count).fill(1);
			const addresses = addressesWithin({ list, below: { deeper: { to: 'ada@x.io' } } });
			expect(addresses).toEqual(isFound ? ['ada@x.io'] : []);
		});
	});

	test.each([
		[400, true],
		[401, false],
	])('a text of %i characters may be an address: %j', (length, isAddress) => {
		const text = `${' '.repeat(length - 8)}ada@x.io`;
		expect(addressesWithin({ text })).toEqual(isAddress ? ['ada@x.io'] : []);
	});
});
