import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import {
	readPeopleOfJob,
	explainUnnamedOnce,
	rememberPeople,
} from '../../../nodes/EventPlatform/core/registration/jobPeople';
import { fakePlatform } from '../../support/platform/fakePlatform';

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
	const { ask: api } = fakePlatform((request) => (request.path === path ? { data: tasks } : sent));
	return (await readPeopleOfJob({ api, apiRoot }, { id })).map(({ record }) => record);
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
		const { ask: api, asked } = refusing('refused', state('processing'));
		await expect(readPeopleOfJob({ api, apiRoot }, { id: 'j7' })).resolves.toEqual([]);
		expect(asked.map((request) => request.path)).toEqual([path, '/jobs/j7']);
	});

	test.each<[string, Cause, object | Cause]>([
		['is over', 'refused', state('failed')],
		['cannot be read', 'not_found', 'not_found'],
		['was not asked about, for it failed otherwise', 'forbidden', state('processing')],
	])('of a job that %s are a failure', async (_, cause, job) => {
		const { ask: api } = refusing(cause, job);
		await expect(readPeopleOfJob({ api, apiRoot }, { id: 'j7' })).rejects.toThrow(cause);
	});

	test('of a job that is over, as the platform has said, are still to come', async () => {
		const { ask: api } = refusing('refused', state('ended'));
		const ended = { succeeded: 1, failed: 1 };
		const read = await readPeopleOfJob({ api, apiRoot }, { id: 'j7', ended });
		expect(read.map(({ record }) => record.outcome)).toEqual(['unknown', 'unknown']);
	});

	test.each<[string, Cause, { succeeded?: number }]>([
		['that may be made up', 'not_found', { succeeded: 2 }],
		['without counts', 'refused', {}],
	])('of a job %s are a failure, so that no run starts with nothing', async (_, cause, ended) => {
		const { ask: api } = refusing(cause, state('ended'));
		await expect(readPeopleOfJob({ api, apiRoot }, { id: 'j7', ended })).rejects.toThrow(cause);
	});
});

test('somebody without a status is under way', async () => {
	const open = { status: 'processing', outcome: null, email: null, errors: [], person: null };
	expect(await read([{}])).toMatchObject([open]);
});
