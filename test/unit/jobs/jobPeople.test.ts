import {
	peopleOfJob,
	rememberPeople,
	nameResults,
	readPeopleOfJob,
	explainUnnamedOnce,
} from '../../../nodes/EventPlatform/core/jobs/jobPeople';
import type { TaskResult } from '../../../nodes/EventPlatform/core/jobs/taskResult';
import { fakePlatform } from '../../support/platform/fakePlatform';
import type { Ask } from '../../../nodes/EventPlatform/core/client/request';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

describe('the people who are remembered', () => {
	const people = { sessionId: 's1', emails: ['ann@x.org', 'bob@x.org'] };

	describe('whom a job was for', () => {
		test('is unknown where the platform gave one id to two requests, however often it gives it', () => {
			rememberPeople('https://odd/v1', 'same', people);
			rememberPeople('https://odd/v1', 'same', { ...people, sessionId: 's2' });
			expect(peopleOfJob('https://odd/v1', 'same')).toBeUndefined();
			rememberPeople('https://odd/v1', 'same', { ...people, sessionId: 's3' });
			expect(peopleOfJob('https://odd/v1', 'same')).toBeUndefined();
		});

		test('is remembered by the platform and the job', () => {
			rememberPeople('https://one/v1', '1', people);
			expect(peopleOfJob('https://one/v1', '1')).toBe(people);
			expect(peopleOfJob('https://one/v1', '2')).toBeUndefined();
			expect(peopleOfJob('https://two/v1', '1')).toBeUndefined();
		});

		test('of one id on two platforms is remembered for each', () => {
			const peopleOfSecond = { ...people, sessionId: 's2' };
			rememberPeople('https://first/v1', '7', people);
			rememberPeople('https://second/v1', '7', peopleOfSecond);
			expect(peopleOfJob('https://first/v1', '7')).toBe(people);
			expect(peopleOfJob('https://second/v1', '7')).toBe(peopleOfSecond);
		});

		test('is forgotten when a thousand jobs came after it, and no sooner', () => {
			for (let job = 0; job < 1_000; job++) rememberPeople('https://big/v1', `${job}`, people);
			expect(peopleOfJob('https://big/v1', '0')).toBe(people);
			rememberPeople('https://big/v1', '1000', people);
			expect(peopleOfJob('https://big/v1', '0')).toBeUndefined();
			expect(peopleOfJob('https://big/v1', '1')).toBe(people);
		});
	});
});

describe('the results with names', () => {
	const good = (address?: string): TaskResult => ({ status: 'registered', address, reasons: [] });
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
		{ ask }: { ask: Ask } = platform(),
		succeeded?: number,
	) {
		const named = await nameResults(results, { sessionId: 's1', emails }, ask, succeeded);
		return named.map((result) => result?.email ?? result?.address);
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
			expect(result?.reasons.map(({ code }) => code)).toEqual([
				'one_of_these',
				'refused',
				'refused',
			]);
		}
	});

	test('what cannot be asked stays open', async () => {
		const { ask } = fakePlatform(() => 'platform_error');
		const results = [good('a@x.org'), good(), bad()];
		const own = results.map(({ address }) => address);
		expect(await emailsNamed(['a@x.org', 'b@x.org', 'c@x.org'], results, { ask })).toEqual(own);
	});

	test('who is registered tells those who were there before from those who were refused', async () => {
		const { ask, asked } = platform(['b@x.org']);
		const results = [bad(), there, good('c@x.org')];
		const emails = ['b@x.org', 'a@x.org', 'c@x.org'];
		expect(await emailsNamed(emails, results, { ask })).toEqual(['a@x.org', 'b@x.org', 'c@x.org']);
		expect(asked.map(({ path }) => path)).toEqual(Array(2).fill('/sessions/s1/people'));
	});

	test.each<[string, TaskResult[], number | undefined]>([
		['fewer results than people', [good('a@x.org'), bad()], undefined],
		['somebody else among them', [good('z@x.org'), bad(), bad()], undefined],
		['other counts of the job', [good('a@x.org'), bad(), bad()], 2],
	])('nothing is concluded from %s', async (_, results, succeeded) => {
		const { ask } = platform();
		const emails = ['a@x.org', 'b@x.org', 'c@x.org'];
		const own = results.map(({ address }) => address);
		expect(await emailsNamed(emails, results, { ask }, succeeded)).toEqual(own);
	});

	test('results that are still to come stay in their places, without a name', async () => {
		const { ask, asked } = platform();
		const results = [undefined, good('a@x.org'), undefined];
		const emails = ['a@x.org', 'b@x.org', 'c@x.org'];
		const named = await nameResults(results, { sessionId: 's1', emails }, ask);
		expect(named).toStrictEqual([undefined, { ...good('a@x.org'), email: 'a@x.org' }, undefined]);
		expect(asked).toEqual([]);
	});

	test('an address is told as it was sent, though the record has it in small letters', async () => {
		const { ask, asked } = platform();
		expect(await emailsNamed(['Ann@X.org'], [good('ann@x.org')], { ask })).toEqual(['Ann@X.org']);
		expect(asked).toEqual([]);
	});

	test('somebody who is registered brings the record that the list shows', async () => {
		const { ask } = platform(['b@x.org']);
		const emails = ['b@x.org', 'a@x.org'];
		const [refused, present] = await nameResults([bad(), there], { sessionId: 's1', emails }, ask);
		expect(refused).toMatchObject({ status: 'failed', email: 'a@x.org' });
		expect(present).toMatchObject({ status: 'already_registered', person: { email: 'b@x.org' } });
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
				const current_page = Number(query?.['page[number]'] ?? 0);
				const attributes = { email: `another${current_page}@x.org` };
				const another = { type: 'people', id: `${current_page}`, attributes };
				return { data: [another], meta: { current_page, page_count } };
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
});

describe('the records of a job', () => {
	const failed = (code = 'c', message = 'm.') => ({
		status: 'failed',
		errors: [{ code, message, more: 1 }],
	});
	const attributes = { email: 'Ann@x.org', registrant_detail: { session_id: 's1' } };
	const registered = { status: 'succeeded', data: { type: 'people', id: 'p1', attributes } };
	const people = { sessionId: 's1', emails: ['Ann@x.org', 'bob@x.org'] };

	const apiRoot = 'https://p/v1';

	/** The records of a job, of which nothing but its tasks may be asked. */
	async function read(tasks: JsonObject[], id = 'j1') {
		const path = `/jobs/${id}/tasks`;
		const sent = new Error('Another request was sent');
		const { ask } = fakePlatform((request) => (request.path === path ? { data: tasks } : sent));
		return (await readPeopleOfJob({ ask, apiRoot }, { id })).map(({ record }) => record);
	}

	test('status, who and why stand first, and the session is that of somebody who was registered', async () => {
		const [good, bad] = await read([registered, failed()]);
		expect(Object.keys(good ?? {}).slice(0, 4)).toEqual(['status', 'outcome', 'email', 'reason']);
		expect(good).toMatchObject({
			status: 'succeeded',
			outcome: 'registered',
			email: 'ann@x.org',
			reason: null,
			session_id: 's1',
			job_id: 'j1',
			person: { id: 'p1' },
			errors: [],
		});
		expect(good).not.toHaveProperty('not_named');
		expect(bad).toEqual({
			status: 'failed',
			outcome: 'failed',
			email: null,
			reason: 'm.',
			session_id: 's1',
			job_id: 'j1',
			not_named: expect.stringContaining('same n8n process') as string,
			person: null,
			errors: [{ code: 'c', message: 'm.' }],
		});
	});

	test('who was registered before has failed in the words of the platform, and not in ours', async () => {
		const records = await read([failed('already_registered', 'Is there'), failed('banned')]);
		expect(records).toMatchObject([
			{ status: 'failed', outcome: 'already_registered' },
			{ status: 'failed', outcome: 'failed' },
		]);
	});

	test('of a job that this process started, each person is named', async () => {
		rememberPeople(apiRoot, 'j2', people);
		const records = await read([failed(), registered], 'j2');
		expect(records.map(({ status, email }) => [status, email])).toEqual([
			['failed', 'bob@x.org'],
			['succeeded', 'Ann@x.org'],
		]);
		expect(records[0]).toMatchObject({ session_id: 's1', job_id: 'j2', reason: 'm.' });
	});

	test('where it cannot be told, the first item says so, and of how many people, naming nobody', async () => {
		rememberPeople(apiRoot, 'j3', { ...people, emails: [...people.emails, 'eve@x.org'] });
		const tasks = [registered, failed(), failed('already_registered', 'Is there')];
		const records = explainUnnamedOnce(await read(tasks, 'j3'));
		expect(records.map(({ not_named: said }) => said)).toStrictEqual([
			undefined,
			'The platform does not say who this is: one of 2 people of this job.',
			undefined,
		]);
		expect(JSON.stringify(records)).not.toContain('bob');
		expect(records[1]).toMatchObject({ status: 'failed', email: null, reason: 'm.' });
	});

	describe('results that are refused', () => {
		const path = '/jobs/j7/tasks';
		const state = (status: string) => ({ id: 'j7', attributes: { status } });
		/** A platform that refuses the results, and says this of the job. */
		const refusing = (cause: Cause, job: object | Cause) =>
			fakePlatform((request) => (request.path === path ? cause : job));

		test('of a job that is under way are none yet', async () => {
			const { ask, asked } = refusing('refused', state('processing'));
			await expect(readPeopleOfJob({ ask, apiRoot }, { id: 'j7' })).resolves.toEqual([]);
			expect(asked.map((request) => request.path)).toEqual([path, '/jobs/j7']);
		});

		test.each<[string, Cause, object | Cause]>([
			['is over', 'refused', state('failed')],
			['cannot be read', 'not_found', 'not_found'],
			['was not asked about, for it failed otherwise', 'forbidden', state('processing')],
		])('of a job that %s are a failure', async (_, cause, job) => {
			const { ask } = refusing(cause, job);
			await expect(readPeopleOfJob({ ask, apiRoot }, { id: 'j7' })).rejects.toThrow(cause);
		});

		test('of a job that is over, as the platform has said, are still to come', async () => {
			const { ask } = refusing('refused', state('ended'));
			const ended = { succeeded: 1, failed: 1 };
			const read = await readPeopleOfJob({ ask, apiRoot }, { id: 'j7', ended });
			expect(read.map(({ record }) => record.outcome)).toEqual(['unknown', 'unknown']);
		});

		test.each<[string, Cause, { succeeded?: number }]>([
			['that may be made up', 'not_found', { succeeded: 2 }],
			['without counts', 'refused', {}],
		])('of a job %s are a failure, so that no run starts with nothing', async (_, cause, ended) => {
			const { ask } = refusing(cause, state('ended'));
			await expect(readPeopleOfJob({ ask, apiRoot }, { id: 'j7', ended })).rejects.toThrow(cause);
		});
	});

	test('somebody without a status is under way', async () => {
		const open = { status: 'processing', outcome: null, email: null, errors: [], person: null };
		expect(await read([{}])).toMatchObject([open]);
	});
});
