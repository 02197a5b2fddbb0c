import {
	sharedResult,
	distinctReasons,
	readTaskResult,
	type TaskResult,
} from '../../../nodes/EventPlatform/core/jobs/taskResult';
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
				address: 'ada@example.com',
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
		])('the address is %s', (_, data, address) => {
			expect(readTaskResult({ status: 'succeeded', data })?.address).toBe(address);
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
			[{ title: 't' }, 't', 't'],
			[{ code: 'c', message: { email: ['taken'] } }, 'c', '{"email":["taken"]}'],
		])('the reason %j is %s: %s', (error, code, message) => {
			const result = readTaskResult({ status: 'failed', errors: [error] });
			expect(result).toEqual({ status: 'failed', reasons: [{ code, message }] });
		});

		test.each<JsonObject>([{}, { errors: [] }, { errors: [{}] }, { errors: null }])(
			'of somebody refused, without a reason in %j',
			(sent) => {
				const none = { code: 'failed', message: 'The platform gave no reason.' };
				const result = readTaskResult({ status: 'failed', ...sent });
				expect(result).toEqual({ status: 'failed', reasons: [none] });
			},
		);

		const attributes = { status: 'failed' };
		test.each<JsonObject>([
			{ ...attributes, errors: ['Phone is invalid'] },
			{ ...attributes, errors: 'Phone is invalid' },
			{ ...attributes, error: 'Phone is invalid' },
			{ ...attributes, message: 'Phone is invalid' },
			{ attributes: { ...attributes, message: 'Phone is invalid' } },
			{ attributes, errors: [{ detail: 'Phone is invalid' }] },
			{ ...attributes, attributes: { errors: ['Phone is invalid'] } },
		])('the reason is read in %j', (sent) => {
			expect(readTaskResult(sent)?.reasons).toMatchObject([{ message: 'Phone is invalid' }]);
		});
	});

	test('who is there already is neither registered nor failed, and the words stay', () => {
		const read = (...errors: JsonObject[]) => readTaskResult({ status: 'failed', errors });
		const taken = { code: 422, message: 'Email has already been taken' };
		expect(read({ code: 'already_registered', message: 'Is there' })).toEqual({
			status: 'already_registered',
			reasons: [{ code: 'already_registered', message: 'Is there' }],
		});
		expect(read(taken)).toMatchObject({ status: 'already_registered' });
		expect(readTaskResult({ status: 'failed', errors: [taken.message] })).toMatchObject({
			status: 'already_registered',
		});
		expect(read({ ...taken, source: { pointer: '/fields/phone' } })?.status).toBe('failed');
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
			const result = { ...good, address: 'ada@example.com' };
			expect(sharedResult([result])).toBe(result);
			expect(sharedResult([])).toBeUndefined();
		});

		test('their status, without anybody’s record', () => {
			const named = { ...good, address: 'x', person: { id: 'p' } };
			expect(sharedResult([named, good])).toEqual(good);
			expect(sharedResult([failed('a'), failed('a')])).toEqual(failed('a'));
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
