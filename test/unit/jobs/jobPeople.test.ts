import {
	rememberPeople,
	readPeopleOfJob,
	explainUnnamedOnce,
} from '../../../nodes/EventPlatform/core/jobs/jobPeople';
import { fakePlatform } from '../../support/platform/fakePlatform';
import type { Ask } from '../../../nodes/EventPlatform/core/client/request';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

describe('the results with names', () => {
	const good = (email?: string): JsonObject => {
		const data = { type: 'people', id: `${email}`, attributes: { email: email ?? null } };
		return { status: 'succeeded', data };
	};
	const bad = (detail = 'No'): JsonObject => ({
		status: 'failed',
		errors: [{ code: 'refused', detail }],
	});
	const there: JsonObject = { status: 'failed', errors: [{ code: 'already_registered' }] };

	/** A platform that has these results, and knows these people as registered, asked one by one. */
	function platform(tasks: JsonObject[], registered: string[] = []) {
		return fakePlatform(({ path, query }) => {
			if (path.startsWith('/jobs/')) return { data: tasks };
			const email = String(query?.['filter[email]']);
			const there = { type: 'people', id: email, attributes: { email } };
			return { data: registered.includes(email) ? [there] : [] };
		});
	}

	let jobs = 0;

	/** The records of a job that this process has sent with these people. */
	async function recordsOf(emails: string[], { ask }: { ask: Ask }, succeeded?: number) {
		const apiRoot = 'https://names/v1';
		const id = `${(jobs += 1)}`;
		rememberPeople(apiRoot, id, { sessionId: 's1', emails });
		const ended = succeeded === undefined ? undefined : { succeeded };
		const people = await readPeopleOfJob(ask, apiRoot, id, { ended });
		return people.map(({ record }) => record);
	}

	async function emailsNamed(emails: string[], platform: { ask: Ask }, succeeded?: number) {
		return (await recordsOf(emails, platform, succeeded)).map(({ email }) => email);
	}

	test('where the job itself counts otherwise, nobody is named by elimination', async () => {
		const { ask } = platform([good('a@x.org'), bad()]);
		const emails = ['a@x.org', 'b@x.org'];
		expect(await emailsNamed(emails, { ask }, 1)).toEqual(['a@x.org', 'b@x.org']);
		expect(await emailsNamed(emails, { ask }, 2)).toEqual(['a@x.org', null]);
	});

	test('several who were refused for different reasons are told both, not one of them', async () => {
		const emails = ['a@x.org', 'b@x.org'];
		const records = await recordsOf(emails, platform([bad('One'), bad('Two')]));
		expect(records.map(({ email }) => email)).toEqual(emails);
		for (const { errors } of records) {
			expect(errors).toMatchObject([
				{ code: 'one_of_these' },
				{ code: 'refused' },
				{ code: 'refused' },
			]);
		}
	});

	test('what cannot be asked stays open', async () => {
		const tasks = [good('a@x.org'), good(), bad()];
		const { ask } = fakePlatform(({ path }) =>
			path.startsWith('/jobs/') ? { data: tasks } : 'platform_error',
		);
		const emails = ['a@x.org', 'b@x.org', 'c@x.org'];
		expect(await emailsNamed(emails, { ask })).toEqual(['a@x.org', null, null]);
	});

	test('who is registered tells those who were there before from those who were refused', async () => {
		const { ask, asked } = platform([bad(), there, good('c@x.org')], ['b@x.org']);
		const emails = ['b@x.org', 'a@x.org', 'c@x.org'];
		expect(await emailsNamed(emails, { ask })).toEqual(['a@x.org', 'b@x.org', 'c@x.org']);
		const [, ...asking] = asked.map(({ path }) => path);
		expect(asking).toEqual(Array(2).fill('/sessions/s1/people'));
	});

	test.each<[string, JsonObject[], number | undefined]>([
		['fewer results than people', [good('a@x.org'), bad()], undefined],
		['somebody else among them', [good('z@x.org'), bad(), bad()], undefined],
		['other counts of the job', [good('a@x.org'), bad(), bad()], 2],
	])('nothing is concluded from %s', async (_, tasks, succeeded) => {
		const emails = ['a@x.org', 'b@x.org', 'c@x.org'];
		const [first, ...others] = await emailsNamed(emails, platform(tasks), succeeded);
		expect(first).toMatch(/^[az]@x.org$/);
		expect(others.filter((email) => email !== null)).toEqual([]);
	});

	test('results that are still to come stay in their places, without a name', async () => {
		const { ask, asked } = platform([{}, good('a@x.org'), {}]);
		const emails = ['a@x.org', 'b@x.org', 'c@x.org'];
		expect(await emailsNamed(emails, { ask })).toEqual([null, 'a@x.org', null]);
		expect(asked).toHaveLength(1);
	});

	test('an address is told as it was sent, though the record has it in small letters', async () => {
		const { ask, asked } = platform([good('ann@x.org')]);
		expect(await emailsNamed(['Ann@X.org'], { ask })).toEqual(['Ann@X.org']);
		expect(asked).toHaveLength(1);
	});

	test('somebody who is registered brings the record that the list shows', async () => {
		const records = await recordsOf(['b@x.org', 'a@x.org'], platform([bad(), there], ['b@x.org']));
		expect(records).toMatchObject([
			{ outcome: 'failed', email: 'a@x.org' },
			{ outcome: 'already_registered', person: { email: 'b@x.org' } },
		]);
	});

	test('a conclusion from several results stands in place of one with its status', async () => {
		const { ask } = platform([bad('One'), there, bad('Two')], ['a@x.org']);
		const records = await recordsOf(['a@x.org', 'b@x.org', 'c@x.org'], { ask });
		expect(records.map(({ outcome, email }) => [outcome, email])).toEqual([
			['failed', 'b@x.org'],
			['already_registered', 'a@x.org'],
			['failed', 'c@x.org'],
		]);
	});

	describe('asking who is registered costs at most ten requests for one job', () => {
		/** How many requests are sent for a job whose results are alike, in a session whose list has so many pages. */
		async function requestsFor(people: number, page_count: number): Promise<number> {
			const emails = Array.from({ length: people }, (_, nth) => `p${nth}@x.org`);
			const tasks = emails.map((_, nth) => (nth === 0 ? there : bad()));
			const { ask, asked } = fakePlatform(({ path, query }) => {
				if (path.startsWith('/jobs/')) return { data: tasks };
				const current_page = Number(query?.['page[number]'] ?? 0);
				const attributes = { email: `another${current_page}@x.org` };
				const another = { type: 'people', id: `${current_page}`, attributes };
				return { data: [another], meta: { current_page, page_count } };
			});
			await recordsOf(emails, { ask });
			return asked.filter(({ path }) => path.startsWith('/sessions/')).length;
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
		return (await readPeopleOfJob(ask, apiRoot, id)).map(({ record }) => record);
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

	test('nobody is named where the platform gave the same id to several jobs, or is another one', async () => {
		rememberPeople(apiRoot, 'twice', people);
		rememberPeople(apiRoot, 'twice', { ...people, sessionId: 's2' });
		for (const sessionId of ['s1', 's2', 's3']) {
			rememberPeople(apiRoot, 'threeTimes', { ...people, sessionId });
		}
		rememberPeople('https://another/v1', 'theirs', people);
		const why = /only for jobs that the same n8n process has started/;
		for (const id of ['twice', 'threeTimes', 'theirs']) {
			expect(await read([failed(), registered], id)).toMatchObject([
				{ email: null, not_named: expect.stringMatching(why) as string },
				{ email: 'ann@x.org' },
			]);
		}
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
			await expect(readPeopleOfJob(ask, apiRoot, 'j7')).resolves.toEqual([]);
			expect(asked.map((request) => request.path)).toEqual([path, '/jobs/j7']);
		});

		test.each<[string, Cause, object | Cause]>([
			['is over', 'refused', state('failed')],
			['cannot be read', 'not_found', 'not_found'],
			['was not asked about, for it failed otherwise', 'forbidden', state('processing')],
		])('of a job that %s are a failure', async (_, cause, job) => {
			const { ask } = refusing(cause, job);
			await expect(readPeopleOfJob(ask, apiRoot, 'j7')).rejects.toThrow(cause);
		});

		test('of a job that is over, as the platform has said, are still to come', async () => {
			const { ask } = refusing('refused', state('ended'));
			const ended = { succeeded: 1, failed: 1 };
			const read = await readPeopleOfJob(ask, apiRoot, 'j7', { ended });
			expect(read.map(({ record }) => record.outcome)).toEqual(['unknown', 'unknown']);
		});

		test.each<[string, Cause, { succeeded?: number }]>([
			['that may be made up', 'not_found', { succeeded: 2 }],
			['without counts', 'refused', {}],
		])('of a job %s are a failure, so that no run starts with nothing', async (_, cause, ended) => {
			const { ask } = refusing(cause, state('ended'));
			await expect(readPeopleOfJob(ask, apiRoot, 'j7', { ended })).rejects.toThrow(cause);
		});
	});

	test('somebody without a status is under way', async () => {
		const open = { status: 'processing', outcome: null, email: null, errors: [], person: null };
		expect(await read([{}])).toMatchObject([open]);
	});
});
