import fc from 'fast-check';
import {
	assign as assignToPeople,
	concludeFromList,
} from '../../../nodes/EventPlatform/core/jobs/assign';
import type { TaskResult } from '../../../nodes/EventPlatform/core/jobs/taskResult';

const ok = (address?: string): TaskResult => ({ status: 'registered', address, reasons: [] });
const no = (code: string, message = code): TaskResult => ({
	status: code === 'already_registered' ? code : 'failed',
	reasons: [{ code, message }],
});
/** Assigns results to people with these addresses, and gives them in their order. */
function assign(
	addresses: readonly string[],
	ofJob: readonly TaskResult[],
	facts?: Parameters<typeof assignToPeople>[2],
) {
	const people = addresses.map((address) => ({ row: { address } }));
	const assigned = assignToPeople(people, ofJob, facts);
	return {
		...assigned,
		results: people.map((person) => assigned.results.get(person)),
		open: assigned.open.map((person) => people.indexOf(person)),
	};
}

const statusesOf = (results: ReadonlyArray<TaskResult | undefined>) =>
	results.map((result) => result?.status);

/** Fifty people, of whom the last two fail for different reasons. */
const fifty = [...Array(50).keys()].map((number) => `p${number}@example.com`);
const results = [...fifty.slice(0, 48).map(ok), no('already_registered'), no('banned')];

test('a person gets the result that bears their address, wherever it stands', () => {
	const emails = ['a@x.io', 'b@x.io', 'c@x.io'];
	const ofJob = [ok('c@x.io'), ok('a@x.io'), ok('b@x.io')];
	expect(assign(emails, ofJob).results).toEqual([ofJob[1], ofJob[2], ofJob[0]]);
});

test('a record that stands twice leaves only the person open who has none', () => {
	const assigned = assign(['a@x.io', 'b@x.io'], [ok('a@x.io'), ok('a@x.io')]);
	expect([statusesOf(assigned.results), assigned.open]).toEqual([['registered', undefined], []]);
});

test('where nearly all succeeded in their place, failures are in theirs', () => {
	const { results: assigned } = assign(fifty, results);
	expect(statusesOf(assigned).slice(47)).toStrictEqual([
		'registered',
		'already_registered',
		'failed',
	]);
});

const [four, fates] = [
	['a@x.io', 'b@x.io', 'c@x.io', 'd@x.io', 'e@x.io'],
	[no('already_registered'), no('banned')],
] as const;

test('three people at their own places show the order, of these people and of no others', () => {
	const ofJob = [...fates, ...four.slice(2).map(ok)];
	expect(statusesOf(assign(four, ofJob).results).slice(0, 2)).toEqual([
		'already_registered',
		'failed',
	]);
	const two = four.slice(0, 4);
	const { results: unknown, open } = assign(two, ofJob.slice(0, 4));
	expect(statusesOf(unknown).slice(0, 2)).toStrictEqual([undefined, undefined]);
	expect(open).toEqual([0, 1]);
});

test('one person out of place disproves the order', () => {
	const moved = [...results];
	[moved[0], moved[1]] = [results[1] ?? no('?'), results[0] ?? no('?')];
	expect(statusesOf(assign(fifty, moved).results).slice(48)).toStrictEqual([undefined, undefined]);
});

const madeUp = (nth: number) =>
	`17206281${nth}+528d3ec6-b983-4353-bcbf-eddb1566d013@unknown.livestorm.co`;

describe('emails that the platform has made up', () => {
	const three = ['a@x.io', 'b@x.io', 'c@x.io'];

	test('contradict nothing: where all succeeded, everybody is registered', () => {
		const ofJob = [ok(madeUp(10)), ok(madeUp(11)), ok(madeUp(12))];
		const { results: assigned, isContradicted } = assign(three, ofJob, { succeeded: 3 });
		expect(statusesOf(assigned)).toStrictEqual(Array(3).fill('registered'));
		expect(isContradicted).toBe(false);
	});

	test.each([
		['show that nobody can be named, so that the order of the tasks is believed', madeUp(10), {}],
		['are not needed where that is known', undefined, { isPublic: true }],
	])('%s', (_, email, facts) => {
		const ofJob = [ok(email), no('banned'), no('already_registered')];
		expect(statusesOf(assign(three, ofJob, facts).results)).toEqual([
			'registered',
			'failed',
			'already_registered',
		]);
		const counted = assign(three, ofJob, { ...facts, succeeded: 2 });
		expect(statusesOf(counted.results)).toStrictEqual(Array(3).fill(undefined));
	});

	test('are the email of whom somebody has sent with one', () => {
		const emails = [madeUp(10), 'b@x.io'];
		expect(statusesOf(assign(emails, [no('banned'), ok(madeUp(10))]).results)).toStrictEqual([
			'registered',
			'failed',
		]);
	});

	test.each<[string, TaskResult[], object]>([
		['somebody else is among them', [ok(madeUp(10)), ok(madeUp(11)), ok('z@x.io')], {}],
		[
			'the job counts otherwise',
			[ok(madeUp(10)), ok(madeUp(11)), ok(madeUp(12))],
			{ succeeded: 2 },
		],
		['there are more results than people', [...Array(4).keys()].map((nth) => ok(madeUp(nth))), {}],
	])('are not believed where %s', (_, ofJob, facts) => {
		const assigned = assign(three, ofJob, facts);
		expect(statusesOf(assigned.results)).toStrictEqual(Array(3).fill(undefined));
		expect(assigned.isContradicted).toBe(true);
	});
});

test('the same person twice hides somebody else, so nobody is eliminated', () => {
	const { results: assigned } = assign(['a@x.io', 'b@x.io'], [ok('a@x.io'), ok('a@x.io')]);
	expect(statusesOf(assigned)).toStrictEqual(['registered', undefined]);
});

test('in whatever order results come, nobody gets the result of another', () => {
	const fates = fc.array(fc.constantFrom('ok', 'already_registered', 'banned', 'invalid_email'), {
		minLength: 1,
		maxLength: 50,
	});
	fc.assert(
		fc.property(fates, fc.infiniteStream(fc.nat()), (all, order) => {
			const emails = all.map((_, index) => `p${index}@x.io`);
			const truth = all.map((fate, index) => (fate === 'ok' ? ok(emails[index]) : no(fate)));
			const shuffled = truth
				.map((result) => ({ result, at: Number(order.next().value) }))
				.sort((first, second) => first.at - second.at)
				.map(({ result }) => result);
			const statuses = statusesOf(assign(emails, shuffled).results);
			const lies = statuses.filter(
				(status, index) => status !== undefined && status !== statusesOf(truth)[index],
			);
			expect(lies).toEqual([]);
		}),
		{ numRuns: 500 },
	);
});

describe('of people whose results could be those of any of them,', () => {
	const [good, bad, there] = [ok(), no('banned'), no('already_registered')];
	const person = { id: 'p' };

	test.each<[string, TaskResult[], string, Array<TaskResult | undefined>]>([
		['who is there was registered', [good, bad, bad], 'b', [bad, { ...good, person }, bad]],
		['who is there is there already', [there, bad, bad], 'b', [bad, { ...there, person }, bad]],
		['nobody’s is known where fewer should be there', [bad, bad, bad], 'b', []],
		['nobody’s is known where one is missing', [good, bad], 'b', []],
		['some were there before', [good, bad, there], 'ac', [undefined, bad, undefined]],
	])('%s', (_, oneOf, emails, expected) => {
		const present = new Map([...emails].map((email) => [email, { person, isRegistrant: true }]));
		const people = ['a', 'b', 'c'].map((address) => ({ row: { address } }));
		const concluded = concludeFromList(people, oneOf, present);
		const results = people.map((person) => concluded.get(person));
		expect(concluded.size === 0 ? [] : results).toEqual(expected);
	});
});

test('nothing is concluded of people in the list whose results differ', () => {
	const people = ['a@example.com', 'b@example.com'].map((address) => ({ row: { address } }));
	const listed = new Map(
		people.map(({ row: { address } }) => [
			address,
			{ person: { id: address }, isRegistrant: true },
		]),
	);
	const differ = [ok(), no('already_registered')];
	expect(concludeFromList(people, differ, listed).size).toBe(0);
	expect(concludeFromList(people, [ok(), ok()], listed).size).toBe(2);
});

test('somebody of the team in the list shows nothing of several people, and of one what their own result says', () => {
	const people = ['a@example.com', 'team@example.com'].map((address) => ({ row: { address } }));
	const member = { person: { id: 'team' }, isRegistrant: false };
	const listed = new Map([['team@example.com', member]]);
	expect(concludeFromList(people, [ok(), no('banned')], listed).size).toBe(0);
	expect(concludeFromList(people.slice(1), [no('already_registered')], listed).size).toBe(1);
});
