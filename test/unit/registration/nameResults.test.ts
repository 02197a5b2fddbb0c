import { nameResults } from '../../../nodes/EventPlatform/core/registration/jobPeople';
import type { TaskResult } from '../../../nodes/EventPlatform/core/registration/taskResult';
import { fakePlatform } from '../../support/platform/fakePlatform';

const good = (email: string): TaskResult => ({ status: 'registered', email, reasons: [] });
const bad = (message = 'No'): TaskResult => ({
	status: 'failed',
	reasons: [{ code: 'refused', message }],
});
const there: TaskResult = { ...bad('is already registered'), status: 'already_registered' };

/** A platform that knows these people as registered, asked one by one. */
function platform(registered: string[] = []) {
	return fakePlatform(({ query }) => {
		const email = String(query?.['filter[email]']);
		const there = { type: 'people', id: email, attributes: { email } };
		return { data: registered.includes(email) ? [there] : [] };
	});
}

async function emailsNamed(
	emails: string[],
	results: TaskResult[],
	{ ask } = platform(),
	succeeded?: number,
) {
	const named = await nameResults(results, { sessionId: 's1', emails }, ask, succeeded);
	return named.map((result) => result?.email);
}

test('where the job itself counts otherwise, nobody is named by elimination', async () => {
	const results = [good('a@x.org'), bad()];
	expect(await emailsNamed(['a@x.org', 'b@x.org'], results, platform(), 1)).toEqual([
		'a@x.org',
		'b@x.org',
	]);
	expect(await emailsNamed(['a@x.org', 'b@x.org'], results, platform(), 2)).toStrictEqual([
		'a@x.org',
		undefined,
	]);
});

test('several who were refused for different reasons are told both, not one of them', async () => {
	const people = { sessionId: 's1', emails: ['a@x.org', 'b@x.org'] };
	const results = await nameResults([bad('One'), bad('Two')], people, platform().ask);
	expect(results.map((result) => result?.email)).toEqual(people.emails);
	for (const result of results) {
		expect(result?.reasons.map(({ code }) => code)).toEqual(['one_of_these', 'refused', 'refused']);
	}
});

test('what cannot be asked stays open', async () => {
	const { ask } = fakePlatform(() => 'platform_error');
	const results = [good('a@x.org'), { ...good(''), email: undefined }, bad()];
	const own = results.map(({ email }) => email);
	expect(await emailsNamed(['a@x.org', 'b@x.org', 'c@x.org'], results, { ask, asked: [] })).toEqual(
		own,
	);
});

test('who is registered tells those who were there before from those who were refused', async () => {
	const { ask, asked } = platform(['b@x.org']);
	const results = [bad(), there, good('c@x.org')];
	const emails = ['b@x.org', 'a@x.org', 'c@x.org'];
	expect(await emailsNamed(emails, results, { ask, asked })).toEqual([
		'a@x.org',
		'b@x.org',
		'c@x.org',
	]);
	expect(asked.map(({ path }) => path)).toEqual(Array(2).fill('/sessions/s1/people'));
});

test.each<[string, TaskResult[], number | undefined]>([
	['fewer results than people', [good('a@x.org'), bad()], undefined],
	['somebody else among them', [good('z@x.org'), bad(), bad()], undefined],
	['other counts of the job', [good('a@x.org'), bad(), bad()], 2],
])('nothing is concluded from %s', async (_, results, succeeded) => {
	const { ask, asked } = platform();
	const emails = ['a@x.org', 'b@x.org', 'c@x.org'];
	const own = results.map(({ email }) => email);
	expect(await emailsNamed(emails, results, { ask, asked }, succeeded)).toEqual(own);
});

test('results that are still to come stay in their places, without a name', async () => {
	const { ask, asked } = platform();
	const results = [undefined, good('a@x.org'), undefined];
	const emails = ['a@x.org', 'b@x.org', 'c@x.org'];
	const named = await nameResults(results, { sessionId: 's1', emails }, ask);
	expect(named).toStrictEqual([undefined, good('a@x.org'), undefined]);
	expect(asked).toEqual([]);
});

test('an address is told as it was sent, though the record has it in small letters', async () => {
	const { ask, asked } = platform();
	expect(await emailsNamed(['Ann@X.org'], [good('ann@x.org')], { ask, asked })).toEqual([
		'Ann@X.org',
	]);
	expect(asked).toEqual([]);
});

test('somebody who is registered brings the record that the list shows', async () => {
	const { ask } = platform(['b@x.org']);
	const emails = ['b@x.org', 'a@x.org'];
	const [refused, present] = await nameResults([bad(), there], { sessionId: 's1', emails }, ask);
	expect(refused).toMatchObject({ status: 'failed', email: 'a@x.org' });
	expect(present).toMatchObject({ status: 'already_registered', person: { email: 'b@x.org' } });
});

test('an address that others of the job have sent, too, names nobody', async () => {
	const mentioning: TaskResult = {
		status: 'registered',
		mentions: ['a@x.org'],
		reasons: [],
	};
	const emails = ['a@x.org', 'b@x.org'];
	const ask = fakePlatform(() => 'platform_error').ask;
	const emailsOf = async (sentByOthers?: ReadonlySet<string>) => {
		const job = { sessionId: 's1', emails, sentByOthers };
		return (await nameResults([bad(), mentioning], job, ask)).map((result) => result?.email);
	};
	expect(await emailsOf()).toEqual(['b@x.org', 'a@x.org']);
	expect(await emailsOf(new Set(['a@x.org']))).toStrictEqual([undefined, undefined]);
});

test('a conclusion from several results stands in place of one with its status', async () => {
	const { ask } = platform(['a@x.org']);
	const emails = ['a@x.org', 'b@x.org', 'c@x.org'];
	const results = await nameResults(
		[bad('One'), there, bad('Two')],
		{ sessionId: 's1', emails },
		ask,
	);
	expect(results.map((result) => [result?.status, result?.email])).toEqual([
		['failed', 'b@x.org'],
		['already_registered', 'a@x.org'],
		['failed', 'c@x.org'],
	]);
});

describe('asking who is registered costs at most ten requests for one job', () => {
	/** How many requests are sent for a job whose results are alike, in a session whose list has so many pages. */
	async function requestsFor(people: number, page_count: number): Promise<number> {
		const emails = Array.from({ length: people }, (_, nth) => `p${nth}@x.org`);
		const results = emails.map((_, nth) => (nth === 0 ? there : bad()));
		const { ask, asked } = fakePlatform(({ query }) => {
			return { data: [], meta: { current_page: Number(query?.['page[number]'] ?? 0), page_count } };
		});
		await nameResults(results, { sessionId: 's1', emails }, ask);
		return asked.length;
	}

	test.each([
		['ten people', 10, 100, 10],
		['more people in a list of ten pages', 11, 10, 10],
		['more people in a list of eleven pages, which is not read further', 11, 11, 1],
	])('%s', async (_, people, pages, requests) => {
		expect(await requestsFor(people, pages)).toBe(requests);
	});
});
