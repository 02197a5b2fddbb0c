import {
	commonFate,
	distinctReasons,
	readTaskResult,
	sameAddress,
	statusOf,
	type TaskResult,
} from '../../../nodes/EventPlatform/core/jobs/taskResult';
import type { JsonObject } from '../../../nodes/EventPlatform/core/http/ports';

const person = { type: 'people', id: 'p1', attributes: { email: ' Ada@Example.com' } };
const failed = (...codes: string[]): TaskResult => ({
	succeeded: false,
	errors: codes.map((code) => ({ code, message: `because ${code}` })),
});
const good: TaskResult = { succeeded: true, errors: [] };

describe('reading a result', () => {
	test.each<[string, JsonObject]>([
		['as specified', { status: 'succeeded', data: { data: person } }],
		['with the record itself', { status: 'succeeded', data: person }],
		['in attributes', { type: 'tasks', attributes: { status: 'succeeded', data: person } }],
	])('of somebody registered, %s', (_, sent) => {
		expect(readTaskResult(sent)).toEqual({
			succeeded: true,
			email: 'ada@example.com',
			person: { id: 'p1', type: 'people', email: ' Ada@Example.com' },
			errors: [],
		});
	});

	test.each<[string, JsonObject, string | undefined]>([
		['an attribute', { attributes: { email: 'A@x.io' } }, 'a@x.io'],
		[
			'an answer of the form',
			{ attributes: { registrant_detail: { fields: [{ id: 'email', value: 'B@x.io' }] } } },
			'b@x.io',
		],
		['an answer that is no text', { attributes: { fields: { email: 7 } } }, undefined],
		['nowhere', { attributes: {} }, undefined],
	])('the address is %s', (_, data, email) => {
		expect(readTaskResult({ status: 'succeeded', data })?.email).toBe(email);
	});

	test('of somebody registered without a record', () => {
		expect(readTaskResult({ status: 'succeeded', data: null })).toEqual(good);
		expect(readTaskResult({ status: 'succeeded', data: [person] })).toEqual(good);
	});

	test.each<[JsonObject]>([
		[{}],
		[{ status: 'processing' }],
		[{ status: 'pending', attributes: { status: 'failed' } }],
		[{ attributes: [{ status: 'failed' }] }],
	])('%j is not finished', (sent) => {
		expect(readTaskResult(sent)).toBeUndefined();
	});

	test.each<[JsonObject, string, string]>([
		[{ code: 'c', title: 't', message: 'm', detail: 'd' }, 'c', 'm'],
		[{ code: 'c', title: 't', detail: 'd' }, 'c', 'd'],
		[{ title: 't' }, 't', 't'],
		[{ code: 'c' }, 'c', 'c'],
		[{ code: 422 }, '422', '422'],
		[{}, 'failed', 'The platform gave no reason.'],
		[{ code: 'c', message: { email: ['taken'] } }, 'c', '{"email":["taken"]}'],
	])('the reason %j is %s: %s', (error, code, message) => {
		const sent: JsonObject = { status: 'failed', errors: [error, 'not an object'] };
		const result = readTaskResult(sent);
		expect(result).toEqual({ succeeded: false, errors: [{ code, message }] });
	});

	test('a failure without reasons has none', () => {
		expect(readTaskResult({ status: 'failed', errors: 'x' })?.errors).toEqual([]);
	});
});

test('who is there already is neither registered nor failed', () => {
	expect(statusOf(good)).toBe('registered');
	expect(statusOf(failed('ALREADY_registered'))).toBe('already_registered');
	expect(statusOf(failed('banned', 'already_registered'))).toBe('already_registered');
	expect(statusOf(failed('banned'))).toBe('failed');
	expect(statusOf(failed())).toBe('failed');
});

test('letter case and blanks make no other address', () => {
	expect(sameAddress('  Ada@Example.COM ')).toBe('ada@example.com');
});

test('each reason is told once, and ten at most of many', () => {
	expect(
		distinctReasons([failed('a', 'b'), good, failed('b', 'c')]).map(({ code }) => code),
	).toEqual([...['a', 'b', 'c']]);
	const sameCode = { succeeded: false, errors: [{ code: 'a', message: 'another' }] };
	expect(distinctReasons([failed('a'), sameCode])).toHaveLength(2);
	const ten = Array.from({ length: 10 }, (_, index) => failed(`code ${index}`));
	expect(distinctReasons(ten)).toHaveLength(10);
	expect(distinctReasons(ten)[9]?.code).toBe('code 9');
	const listed = distinctReasons([...ten, failed('more')]).map(({ code }) => code);
	expect(listed.slice(0, 10)).toEqual(ten.map(({ errors }) => errors[0]?.code));
	expect(listed).not.toContain('more');
});

describe('what is true of all', () => {
	test('of one is their own result, of nobody nothing', () => {
		const one = { ...good, email: 'ada@example.com' };
		expect(commonFate([one])).toBe(one);
		expect(commonFate([])).toBeUndefined();
	});

	test('nothing where some are registered and some are not', () => {
		expect(commonFate([good, good, failed('a')])).toBeUndefined();
		expect(commonFate([failed('already_registered'), failed('a')])).toBeUndefined();
	});

	test('their status, without anybody’s record', () => {
		const others = { ...good, email: 'x', person: { id: 'p' } };
		expect(commonFate([others, good])).toEqual(good);
		expect(commonFate([failed('a'), failed('a')])).toEqual(failed('a'));
	});

	test('all reasons where they differ, and that one of them applies', () => {
		const fate = commonFate([failed('a'), failed('b')]);
		expect(fate?.succeeded).toBe(false);
		expect(fate?.errors.map(({ code }) => code)).toEqual(['one_of_these', 'a', 'b']);
		expect(fate?.errors[0]?.message).toContain('one of the following applies');
	});
});
