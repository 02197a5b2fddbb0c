import type { JsonObject } from '../../../nodes/EventPlatform/core/http/ports';
import {
	peopleOfJob,
	rememberPeople,
	sayOnce,
	taskRecords,
} from '../../../nodes/EventPlatform/core/results/taskRecords';

const nobodyIsAsked = () => Promise.reject(new Error('A request was sent'));
const failed = (code = 'c', message = 'm.') => ({
	status: 'failed',
	errors: [{ code, message, more: 1 }],
});
const registered: JsonObject = {
	status: 'succeeded',
	data: {
		type: 'people',
		id: 'p1',
		attributes: { email: 'Ann@x.org', registrant_detail: { session_id: 's1' } },
	},
};
const people = { sessionId: 's1', emails: ['Ann@x.org', 'bob@x.org'] };
const read = (...tasks: JsonObject[]) => taskRecords(tasks, { id: 'j1' }, nobodyIsAsked);

test('status, who and why stand first, and the session is that of somebody who was registered', async () => {
	const [good, bad] = await read(registered, failed());
	expect(Object.keys(good ?? {}).slice(0, 3)).toEqual(['status', 'email', 'reason']);
	expect(good).toMatchObject({
		...{ status: 'succeeded', email: 'ann@x.org', reason: null },
		...{ session_id: 's1', job_id: 'j1', person: { id: 'p1' }, errors: [] },
	});
	expect(good).not.toHaveProperty('not_named');
	expect(bad).toEqual({
		...{ status: 'failed', email: null, reason: 'm.', session_id: 's1', job_id: 'j1' },
		not_named: expect.stringContaining('same n8n process') as string,
		...{ person: null, errors: [{ code: 'c', message: 'm.' }] },
	});
});

test('of a job that this process started, each person is named', async () => {
	const job = { id: 'j1', people };
	const records = await taskRecords([failed(), registered], job, nobodyIsAsked);
	expect(records.map(({ status, email }) => [status, email])).toEqual([
		['failed', 'bob@x.org'],
		['succeeded', 'Ann@x.org'],
	]);
	expect(records[0]).toMatchObject({ session_id: 's1', job_id: 'j1', reason: 'm.' });
});

test('where it cannot be told, the first item says so, and of how many people, naming nobody', async () => {
	const job = { id: 'j1', people: { ...people, emails: [...people.emails, 'eve@x.org'] } };
	const tasks = [registered, failed(), failed('already_registered', 'Is there')];
	const records = sayOnce(await taskRecords(tasks, job, nobodyIsAsked));
	expect(records.map(({ not_named: said }) => said)).toEqual([
		...[undefined, 'The platform does not say who this is: one of 2 people of this job.'],
		undefined,
	]);
	expect(JSON.stringify(records)).not.toContain('bob');
	expect(records[1]).toMatchObject({ status: 'failed', email: null, reason: 'm.' });
});

test.each<[string, JsonObject, string]>([
	['waiting', { status: 'pending' }, 'pending'],
	['without a status', {}, 'processing'],
])('somebody %s', async (_, sent, status) => {
	expect(await read(sent)).toMatchObject([{ status, email: null, errors: [], person: null }]);
});

describe('whom a job was for', () => {
	test('is remembered by platform and job', () => {
		rememberPeople('https://one/v1', 'j1', people);
		expect(peopleOfJob('https://one/v1', 'j1')).toBe(people);
		expect(peopleOfJob('https://two/v1', 'j1')).toBeUndefined();
	});

	test('is not known where the platform gave one id to two requests', () => {
		for (let times = 0; times < 3; times++) rememberPeople('https://odd/v1', 'same', people);
		expect(peopleOfJob('https://odd/v1', 'same')).toBeUndefined();
	});

	test('is forgotten when a thousand jobs came after it', () => {
		for (let job = 0; job <= 1_000; job++) rememberPeople('https://big/v1', `${job}`, people);
		expect(peopleOfJob('https://big/v1', '0')).toBeUndefined();
		expect(peopleOfJob('https://big/v1', '1')).toBe(people);
	});
});

test('who was registered before has not failed', async () => {
	const [record] = await read(failed('already_registered', 'Is there'));
	expect(record).toMatchObject({ status: 'already_registered', session_id: null });
});
