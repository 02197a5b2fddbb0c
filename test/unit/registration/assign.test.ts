import fc from 'fast-check';
import {
	addressesSentByOthers,
	assign as assignToPeople,
	concludeFromList,
} from '../../../nodes/EventPlatform/core/registration/assign';
import type { TaskResult } from '../../../nodes/EventPlatform/core/registration/taskResult';

const ok = (email?: string): TaskResult => ({ status: 'registered', email, reasons: [] });
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
	const people = addresses.map((address) => ({ address }));
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

test.each([
	['already_registered', "'b@x.io' is already registered", true],
	['banned', 'B@X.IO is not welcome', true],
	['banned', 'Not welcome', false],
	['banned', 'Ask help@platform.example', false],
])(
	'a failure that stands twice in place of another: %s, "%s" contradicts: %s',
	(code, words, contradicts) => {
		const emails = ['a@x.io', 'b@x.io', 'c@x.io'];
		const assigned = assign(emails, [ok('a@x.io'), no(code, words), no(code, words)], {
			succeeded: 1,
		});
		expect(assigned.isContradicted).toBe(contradicts);
		expect(statusesOf(assigned.results).slice(1)).toStrictEqual(
			Array(2).fill(contradicts ? undefined : no(code).status),
		);
	},
);

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

test('what earlier jobs have shown counts, as long as half of this one can be seen', () => {
	const before = { order: { inOrder: 40, isBroken: false } };
	const emails = ['a@x.io', 'b@x.io', 'c@x.io', 'd@x.io'];
	const ofJob = [ok('a@x.io'), no('already_registered'), no('banned'), ok('d@x.io')];
	expect(statusesOf(assign(emails, ofJob, before).results)).toStrictEqual([
		'registered',
		'already_registered',
		'failed',
		'registered',
	]);
	const unseen = [no('already_registered'), no('banned'), no('banned'), ok('d@x.io')];
	expect(statusesOf(assign(emails, unseen, before).results).slice(0, 3)).toStrictEqual(
		Array(3).fill(undefined),
	);
});

test('one person out of place disproves the order, for this job and the next ones', () => {
	const moved = [...results];
	[moved[0], moved[1]] = [results[1] ?? no('?'), results[0] ?? no('?')];
	const { results: assigned, order } = assign(fifty, moved);
	expect(statusesOf(assigned).slice(48)).toStrictEqual([undefined, undefined]);
	expect(statusesOf(assign(fifty, results, { order }).results).slice(48)).toStrictEqual([
		undefined,
		undefined,
	]);
});

test('neighbours who may have overtaken each other are not told apart by eleven others', () => {
	const emails = fifty.slice(0, 11);
	const ofJob = [no('already_registered'), no('banned'), ...emails.slice(2).map(ok)];
	expect(statusesOf(assign(emails, ofJob).results).slice(0, 2)).toStrictEqual([
		undefined,
		undefined,
	]);
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

	test('tell nothing of whose a failure is', () => {
		const { results: assigned, open } = assign(three, [
			ok(madeUp(10)),
			no('banned'),
			ok(madeUp(12)),
		]);
		expect(statusesOf(assigned)).toStrictEqual(Array(3).fill(undefined));
		expect(open).toEqual([0, 1, 2]);
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
		['the id stands for others', [ok(madeUp(10)), ok(), ok()], { hasSharedId: true }],
		['there are more results than people', [...Array(4).keys()].map((nth) => ok(madeUp(nth))), {}],
	])('are not believed where %s', (_, ofJob, facts) => {
		const assigned = assign(three, ofJob, facts);
		expect(statusesOf(assigned.results)).toStrictEqual(Array(3).fill(undefined));
		expect(assigned.isContradicted).toBe(true);
	});
});

describe('addresses elsewhere in a record', () => {
	const three = ['a@x.io', 'b@x.io', 'c@x.io'];
	const shows = (...mentions: string[]): TaskResult => ({ ...ok(), mentions });

	test.each<[string, TaskResult[], Array<string | undefined>, object?]>([
		[
			'tell whose it is',
			[shows('c@x.io'), no('banned'), shows('a@x.io')],
			['registered', 'failed', 'registered'],
		],
		[
			'tell whose it is beside others that nobody has sent',
			[shows('c@x.io', 'boss@y.io'), no('banned'), shows('a@x.io')],
			['registered', 'failed', 'registered'],
		],
		[
			'tell whose it is beside an email that the platform has made up',
			[{ ...shows('c@x.io'), email: madeUp(10) }, no('banned'), shows('a@x.io')],
			['registered', 'failed', 'registered'],
		],
		[
			'tell nothing where two of the people stand in it',
			[shows('a@x.io', 'c@x.io'), no('banned'), shows('a@x.io')],
			['registered', undefined, undefined],
		],
		[
			'tell nothing where two records have the same one',
			[shows('a@x.io'), no('banned'), shows('a@x.io')],
			[undefined, undefined, undefined],
		],
		[
			'tell nothing where another record has none',
			[shows('a@x.io'), no('banned'), ok()],
			[undefined, undefined, undefined],
		],
		[
			'tell nothing where somebody else has sent the address, too',
			[shows('b@x.io'), no('banned'), shows('a@x.io')],
			['registered', undefined, undefined],
			{ sentByOthers: new Set(['b@x.io']) },
		],
		[
			'come after the own email of another record',
			[shows('a@x.io'), no('banned'), ok('a@x.io')],
			['registered', undefined, undefined],
		],
	])('%s', (_, ofJob, expected, facts = {}) => {
		expect(statusesOf(assign(three, ofJob, facts).results)).toStrictEqual(expected);
	});

	test('do not count where the own email is that of somebody else', () => {
		const invited = { ...shows('a@x.io'), email: 'z@y.io' };
		const { results: assigned, isContradicted } = assign(three, [invited, no('x'), no('x')]);
		expect(statusesOf(assigned)).toStrictEqual(Array(3).fill(undefined));
		expect(isContradicted).toBe(true);
	});
});

test('addresses that others have sent, too, are found in answers and in the referrer', () => {
	const people = [
		{ address: 'a@x.io', otherTexts: ['A@x.io', 'Boss: B@x.io', 'z@y.io'] },
		{ address: 'b@x.io', otherTexts: ['no address'] },
		{ address: 'c@x.io', otherTexts: ['mailto:d@x.io'] },
		{ address: 'd@x.io', otherTexts: [] },
	];
	expect([...addressesSentByOthers(people)].sort()).toEqual(['b@x.io', 'd@x.io']);
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
		const present = new Map([...emails].map((email) => [email, { person }]));
		const people = ['a', 'b', 'c'].map((address) => ({ address }));
		const concluded = concludeFromList(people, oneOf, present);
		const results = people.map((person) => concluded.get(person));
		expect(concluded.size === 0 ? [] : results).toEqual(expected);
	});
});

test('nothing is concluded of people in the list whose results differ', () => {
	const people = ['a@example.com', 'b@example.com'].map((address) => ({ address }));
	const listed = new Map(people.map(({ address }) => [address, { person: { id: address } }]));
	const differ = [ok(), no('already_registered')];
	expect(concludeFromList(people, differ, listed).size).toBe(0);
	expect(concludeFromList(people, [ok(), ok()], listed).size).toBe(2);
});
