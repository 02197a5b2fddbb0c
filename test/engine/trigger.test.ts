import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	bulkOf,
	personOf,
	sandboxForTests,
	seededEvent,
	upcomingSession,
	type TestSandbox,
} from '../support/sandbox';
import { connectThroughConsent } from '../support/engine';
import { WebhookHost, type HostOptions } from '../support/webhooks';

let sandbox: TestSandbox;
beforeAll(async () => {
	// Fast, and said so: the connector keeps to the limit that it is told.
	sandbox = await sandboxForTests({ rate: 500 });
});
beforeEach(() => sandbox.reset());

/** A trigger that is active. */
async function listen(parameters: INodeParameters = {}, more: HostOptions = {}) {
	const host = await WebhookHost.start(sandbox, { parameters, ...more });
	await host.activate();
	return host;
}

let people = 0;

/** Registers people in bulk; the id of the job. */
async function startJob(emails = [`person-${++people}@example.org`]): Promise<string> {
	const path = `/sessions/${upcomingSession}/people/bulk`;
	const { data } = await sandbox.api.post<{ id: string }>(path, bulkOf(emails));
	return data.id;
}

async function confirmations(): Promise<string[]> {
	const requests = await sandbox.requests();
	return requests
		.filter(
			({ method, path }) => method === 'GET' && /^\/v1\/(jobs|sessions|people|events)\//.test(path),
		)
		.map(({ path }) => path);
}

/** A job.ended as the specification has it. */
const claim = (id: string, attributes: IDataObject = { status: 'ended' }) => ({
	type: 'jobs',
	id,
	attributes,
});

/** Another kind, as clients have seen it. */
const envelope = (event: string, type: string, id: string, attributes: IDataObject = {}) => ({
	data: { type, id, attributes, meta: { webhook: { event, organization_id: 'o-1' } } },
});

const unknownId = '00000000-0000-4000-8000-000000000000';

describe('a job that ends', () => {
	test('starts one run with the job as the platform shows it', async () => {
		const host = await listen();
		const id = await startJob(['a@example.org', 'not an address']);
		await host.until(() => host.answers.length > 0);
		expect(host.items).toEqual([
			{
				event: 'job.ended',
				received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
				id,
				type: 'jobs',
				status: 'failed',
				total_items: 2,
				total_processed_items: 2,
				total_success: 1,
				total_fail: 1,
			},
		]);
		expect(Object.keys(host.items[0] ?? {}).slice(0, 2)).toEqual(['event', 'received_at']);
		expect(host.answers).toEqual([200]);
		expect(await confirmations()).toEqual([`/v1/jobs/${id}`]);
	});

	test('is read in the other form as well', async () => {
		await sandbox.web.post('/_sandbox/webhooks', { jobPayload: 'wrapped' });
		const host = await listen();
		const id = await startJob();
		await host.until(() => host.answers.length > 0);
		expect(host.items).toMatchObject([{ event: 'job.ended', id, total_success: 1 }]);
	});

	test('is confirmed where the platform wraps its answer', async () => {
		const wrapping = await sandboxForTests({ jobShape: 'wrapped' });
		const host = await WebhookHost.start(wrapping);
		await host.activate();
		const path = `/sessions/${upcomingSession}/people/bulk`;
		await wrapping.api.post(path, bulkOf(['a@example.org']));
		await host.until(() => host.answers.length > 0);
		expect(host.items).toMatchObject([{ event: 'job.ended', status: 'ended', total_success: 1 }]);
	});
});

describe('the other kinds give the simplified record', () => {
	test('a person who registers', async () => {
		const host = await listen({ events: ['people.registered'] });
		const body = personOf('ada@example.org', { first_name: 'Ada' });
		await sandbox.api.post(`/sessions/${upcomingSession}/people`, body);
		await host.until(() => host.answers.length > 0);
		expect(host.items).toMatchObject([
			{
				event: 'people.registered',
				type: 'people',
				email: 'ada@example.org',
				fields: { email: 'ada@example.org', first_name: 'Ada' },
				registrant_detail: { session_id: upcomingSession },
			},
		]);
		expect(JSON.stringify(host.items)).not.toMatch(/connection_link|password_key/);
	});

	test('a session that starts and ends, with those who came, those who did not, and a replay', async () => {
		const kinds = [
			'session.started',
			'session.ended',
			'people.attended',
			'people.not_attended',
			'people.watched_replay',
		];
		const emails = ['a@example.org', 'b@example.org', 'c@example.org'];
		for (const email of emails) {
			await sandbox.api.post(`/sessions/${upcomingSession}/people`, personOf(email));
		}
		const host = await listen({ events: kinds });
		await sandbox.web.post(`/_sandbox/sessions/${upcomingSession}/start`, {});
		await host.until(() => host.runs.length === 1);
		await sandbox.web.post(`/_sandbox/sessions/${upcomingSession}/end`, {});
		await host.until(() => host.runs.length === 5);
		const absent = host.items.find(({ event }) => event === 'people.not_attended');
		const path = `/_sandbox/sessions/${upcomingSession}/people/${absent?.id as string}/watch_replay`;
		await sandbox.web.post(path, {});
		await host.until(() => host.runs.length === 6);
		expect(host.items.map(({ event }) => event).sort()).toEqual([
			'people.attended',
			'people.attended',
			'people.not_attended',
			'people.watched_replay',
			'session.ended',
			'session.started',
		]);
		expect(host.items.at(-1)).toMatchObject({ id: absent?.id, type: 'people' });
		expect(host.answers).toEqual([200, 200, 200, 200, 200, 200]);
	});

	test('events and sessions that are made, and an event that is published', async () => {
		const host = await listen({ events: ['event.created', 'event.published', 'session.created'] });
		const made = await sandbox.api.post<{ data: { id: string } }>('/events', {
			data: { type: 'events', attributes: { title: 'New', status: 'draft' } },
		});
		const { id } = made.data.data;
		await sandbox.api.patch(`/events/${id}`, {
			data: { type: 'events', id, attributes: { status: 'published' } },
		});
		await sandbox.api.post(`/events/${id}/sessions`, {
			data: {
				type: 'sessions',
				attributes: { estimated_started_at: '2027-01-01 10:00:00', timezone: 'UTC' },
			},
		});
		await host.until(() => host.runs.length === 3);
		const byKind = Object.fromEntries(host.items.map((item) => [item.event as string, item]));
		expect(byKind['event.created']).toMatchObject({ id, type: 'events', title: 'New' });
		expect(byKind['event.published']).toMatchObject({ id, status: 'published' });
		expect(byKind['session.created']).toMatchObject({ type: 'sessions', event_id: id });
	});

	test('a kind that nobody knows passes through when it is chosen', async () => {
		const host = await WebhookHost.start(sandbox, {
			parameters: { events: [], verify: 'none', options: { otherEvents: 'poll.closed' } },
		});
		await host.deliver({ body: envelope('poll.closed', 'polls', 'p-1', { votes: 3 }) });
		expect(host.items).toMatchObject([
			{ event: 'poll.closed', type: 'polls', id: 'p-1', votes: 3 },
		]);
	});
});

describe('a forged delivery starts nothing, is told nothing and costs at most one request', () => {
	test.each<[string, unknown, number]>([
		['of a job that does not exist', claim(unknownId), 1],
		['of a job with an id that no platform gives', claim('%00'), 0],
		['that tries to climb out of the path', claim('../webhooks'), 0],
		['of an event that does not exist', envelope('event.created', 'events', unknownId), 1],
		['of a session that does not exist', envelope('session.ended', 'sessions', unknownId), 1],
		['of a session that has not ended', envelope('session.ended', 'sessions', upcomingSession), 1],
		[
			'of a session that has not started, with a time in it',
			envelope('session.started', 'sessions', upcomingSession, { started_at: 1_700_000_000 }),
			1,
		],
		['of a person who does not exist', envelope('people.registered', 'people', unknownId), 1],
		[
			'of a person in a session where they are not',
			envelope('people.registered', 'people', unknownId, {
				registrant_detail: { session_id: upcomingSession },
			}),
			1,
		],
		[
			'with a session id that climbs',
			envelope('people.registered', 'people', unknownId, {
				registrant_detail: { session_id: '../../webhooks' },
			}),
			1,
		],
		['that names one record and means another', envelope('job.ended', 'events', seededEvent), 1],
	])('%s', async (_, body, cost) => {
		const kinds = [
			'job.ended',
			'event.created',
			'session.started',
			'session.ended',
			'people.registered',
		];
		const host = await listen({ events: kinds });
		const before = (await sandbox.requests()).length;
		const { sent, workflowData } = await host.deliver({ body });
		expect(workflowData).toBeUndefined();
		expect(sent?.status).toBe(cost === 0 ? 200 : 401);
		expect(sent?.body).toBeUndefined();
		expect((await sandbox.requests()).length - before).toBe(cost);
		expect(host.staticData.seen).toBeUndefined();
	});

	test('what it claims is not believed: the run has the numbers of the platform', async () => {
		const id = await startJob();
		await sandbox.jobEnd(id);
		const host = await listen();
		await host.deliver({ body: claim(id, { status: 'ended', total_fail: 99, event: 'x' }) });
		expect(host.items).toMatchObject([{ event: 'job.ended', id, total_fail: 0, total_items: 1 }]);
	});

	test('of a job still at work does not keep the genuine one from starting its run', async () => {
		const slow = await sandboxForTests({ rate: 500, jobMs: 150 });
		const host = await WebhookHost.start(slow);
		await host.activate();
		const path = `/sessions/${upcomingSession}/people/bulk`;
		const { data } = await slow.api.post<{ id: string }>(path, bulkOf(['a@example.org']));
		const { sent } = await host.deliver({ body: claim(data.id) });
		expect(sent?.status).toBe(401);
		expect(host.runs).toEqual([]);
		await host.until(() => host.answers.length > 0);
		expect(host.items).toMatchObject([{ id: data.id, status: 'ended' }]);
	});

	test('a variation of an event that came before starts no second run', async () => {
		await sandbox.web.post(`/_sandbox/sessions/${upcomingSession}/start`, {});
		const host = await listen({ events: ['session.started'] });
		for (const started_at of [undefined, 1, 1_700_000_000]) {
			await host.deliver({
				body: envelope('session.started', 'sessions', upcomingSession, { started_at }),
			});
		}
		expect(host.runs).toHaveLength(1);
	});
});

describe('a flood', () => {
	test('of forged deliveries costs no more requests than a minute is allowed', async () => {
		const host = await listen({ options: { confirmationsPerMinute: 20 } });
		const ids = Array.from({ length: 200 }, (_, n) => unknownId.replace(/0{3}$/, String(100 + n)));
		const all = await Promise.all(ids.map((id) => host.deliver({ body: claim(id) })));
		expect(all.filter(({ sent }) => sent?.status === 401)).toHaveLength(20);
		expect(all.filter(({ sent }) => sent?.status === 503)).toHaveLength(180);
		expect(await confirmations()).toHaveLength(20);
		expect(host.runs).toEqual([]);
	});

	test('of forgeries ends when they have cost a day’s share of the month', async () => {
		const host = await listen({ options: { confirmationsPerMinute: 5_000 } });
		const before = (await confirmations()).length;
		let refused = 0;
		while ((await host.deliver({ body: claim(`forged-${refused}`) })).sent?.status === 401)
			refused++;
		expect(refused).toBe(320);
		expect((await confirmations()).length - before).toBe(320);
	}, 30_000);

	test('of the same forgery at once costs two requests: one more for those who came meanwhile', async () => {
		const host = await listen();
		const all = await Promise.all(
			Array.from({ length: 50 }, () => host.deliver({ body: claim(unknownId) })),
		);
		expect(all.every(({ sent }) => sent?.status === 401)).toBe(true);
		expect(await confirmations()).toHaveLength(2);
	});

	test('what is over the limit is not lost: the next minute takes it', async () => {
		const [one, other] = [await startJob(), await startJob()];
		await Promise.all([sandbox.jobEnd(one), sandbox.jobEnd(other)]);
		const host = await listen({ options: { confirmationsPerMinute: 1 } });
		await host.deliver({ body: claim(one) });
		expect((await host.deliver({ body: claim(other) })).sent?.status).toBe(503);
		const later = Date.now() + 60_001;
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => later);
		await host.deliver({ body: claim(other) }).finally(() => clock.mockRestore());
		expect(host.items.map(({ id }) => id)).toEqual([one, other]);
	});

	test('the limit outlives a restart', async () => {
		const host = await listen({ options: { confirmationsPerMinute: 1 } });
		await host.deliver({ body: claim(unknownId) });
		host.node = restartedNode();
		expect((await host.deliver({ body: claim(unknownId) })).sent?.status).toBe(503);
	});
});

/** A copy of the node that knows nothing of what the other has seen. */
function restartedNode() {
	let node: WebhookHost['node'] | undefined;
	jest.isolateModules(() => {
		const path = '../../nodes/EventPlatform/EventPlatformTrigger.node';
		const { EventPlatformTrigger } = jest.requireActual<{
			EventPlatformTrigger: new () => WebhookHost['node'];
		}>(path);
		node = new EventPlatformTrigger();
	});
	if (!node) throw new Error('The node could not be loaded again');
	return node;
}

describe('when the platform cannot be asked', () => {
	test.each(['429', '500', 'html-502', 'reset-before', 'reset-after', 'truncate'] as const)(
		'(%s) the delivery comes again and starts its run exactly once',
		async (deed) => {
			const host = await listen();
			await sandbox.faults([
				{ match: { path: '/v1/jobs/:id' }, times: 2, do: deed, retryAfter: 0 },
			]);
			const id = await startJob();
			await host.until(() => host.runs.length > 0);
			expect(host.answers).toEqual([503, 503, 200]);
			expect(host.items).toMatchObject([{ id }]);
			expect(await confirmations()).toHaveLength(3);
		},
	);

	test('an OAuth2 token that has expired is refreshed on the way', async () => {
		const { credential } = await connectThroughConsent(sandbox);
		const host = await listen({}, { credential });
		await sandbox.faults([{ match: { path: '/v1/jobs/:id' }, times: 1, do: 'expire-token' }]);
		const id = await startJob();
		await host.until(() => host.answers.length > 0);
		expect(host.answers).toEqual([200]);
		expect(host.items).toMatchObject([{ id }]);
	});

	test('a blocked workspace is asked again later', async () => {
		const id = await startJob();
		await sandbox.jobEnd(id);
		const host = await listen();
		await sandbox.web.post('/_sandbox/workspace', { blocked: true });
		expect((await host.deliver({ body: claim(id) })).sent?.status).toBe(503);
		await sandbox.web.post('/_sandbox/workspace', { blocked: false });
		await host.deliver({ body: claim(id) });
		expect(host.runs).toHaveLength(1);
	});
});

test('a person who unregistered meanwhile does not cost the subscription', async () => {
	const path = `/sessions/${upcomingSession}/people`;
	const { data } = await sandbox.api.post<{ data: { id: string } }>(
		path,
		personOf('a@example.org'),
	);
	await sandbox.api.delete(`${path}/${data.data.id}`);
	const host = await listen({ events: ['people.registered'] });
	const detail = { registrant_detail: { session_id: upcomingSession } };
	const body = envelope('people.registered', 'people', data.data.id, detail);
	expect((await host.deliver({ body })).sent?.status).toBe(401);
	const lastAttempt = Date.now() + 22 * 60_000;
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => lastAttempt);
	const { sent } = await host.deliver({ body }).finally(() => clock.mockRestore());
	expect(sent?.status).toBe(200);
	expect(host.runs).toEqual([]);
});

describe('answers', () => {
	test.each<[string, INodeParameters, Parameters<WebhookHost['deliver']>[0], number]>([
		['a kind that was not chosen', {}, { body: envelope('session.ended', 'sessions', 'x') }, 200],
		['a job that is not listed', { options: { jobIds: 'other' } }, { body: claim(unknownId) }, 200],
		[
			'a job without failures, where only those matter',
			{ options: { onlyWithFailures: true } },
			{ body: claim(unknownId, { status: 'ended', total_fail: 0 }) },
			200,
		],
		[
			'a session that is left out',
			{ events: ['session.ended'], options: { sessionId: 'other' } },
			{ body: envelope('session.ended', 'sessions', unknownId) },
			200,
		],
		['a ping', {}, { body: {} }, 200],
		['a list', {}, { body: [] }, 200],
		['null', {}, { rawBody: 'null' }, 200],
		['nothing', {}, { rawBody: '' }, 400],
		['a body that was cut off', {}, { rawBody: '{"type":"jobs","id":"' }, 400],
		['something that is no text', {}, { rawBody: '\u0000\u0001' }, 400],
		['a megabyte of nothing', {}, { rawBody: ' '.repeat(1_000_000) }, 400],
		['a deep hole', {}, { rawBody: '['.repeat(500_000) }, 400],
	])('%s starts nothing and costs nothing', async (_, parameters, request, status) => {
		const host = await listen(parameters);
		const before = (await sandbox.requests()).length;
		const { sent, workflowData } = await host.deliver(request);
		expect(workflowData).toBeUndefined();
		expect(sent?.status).toBe(status);
		expect((await sandbox.requests()).length).toBe(before);
	});

	test.each(['application/vnd.api+json', 'text/plain', 'application/x-www-form-urlencoded', ''])(
		'the content type "%s" makes no difference',
		async (type) => {
			const id = await startJob();
			await sandbox.jobEnd(id);
			const host = await listen();
			await host.deliver({
				rawBody: JSON.stringify(claim(id)),
				body: {},
				headers: { 'content-type': type },
			});
			expect(host.items).toMatchObject([{ id }]);
		},
	);

	test('a genuine delivery of a megabyte is read', async () => {
		const id = await startJob();
		await sandbox.jobEnd(id);
		const host = await listen();
		const padding = 'x'.repeat(1_000_000);
		await host.deliver({ body: claim(id, { status: 'ended', padding }) });
		expect(host.items).toMatchObject([{ id, status: 'ended' }]);
		expect(JSON.stringify(host.items)).not.toContain('xxx');
	});

	test('a credential that is gone is no reason for a failed run: the platform comes again', async () => {
		const host = await WebhookHost.start(sandbox, { parameters: { authentication: 'oAuth2' } });
		expect((await host.deliver({ body: claim(unknownId) })).sent?.status).toBe(503);
	});
});

describe('a repeated delivery', () => {
	test('starts no second run and costs nothing', async () => {
		const id = await startJob();
		await sandbox.jobEnd(id);
		const host = await listen();
		const before = (await confirmations()).length;
		for (let time = 0; time < 5; time++) {
			const { sent } = await host.deliver({ body: claim(id) });
			expect(sent?.status).toBe(time === 0 ? undefined : 200);
		}
		expect(host.runs).toHaveLength(1);
		expect((await confirmations()).length - before).toBe(1);
	});

	test('is recognised after a restart', async () => {
		const host = await listen();
		await startJob();
		await host.until(() => host.runs.length === 1);
		const [delivery] = (await sandbox.web.get<{ id: string }[]>('/_sandbox/deliveries')).data;
		host.node = restartedNode();
		await sandbox.web.post(`/_sandbox/deliveries/${delivery?.id}/redeliver`, {});
		await host.until(() => host.answers.length === 2);
		expect(host.answers).toEqual([200, 200]);
		expect(host.runs).toHaveLength(1);
	});

	test('starts a run again where that is wanted', async () => {
		const id = await startJob();
		await sandbox.jobEnd(id);
		const host = await listen({ options: { deduplicate: false } });
		await host.deliver({ body: claim(id) });
		await host.deliver({ body: claim(id) });
		expect(host.runs).toHaveLength(2);
	});

	test('what is remembered with the workflow stays small', async () => {
		const host = await WebhookHost.start(sandbox, { parameters: { verify: 'none' } });
		for (let job = 0; job < 1_200; job++) await host.deliver({ body: claim(`job-${job}`) });
		expect(host.runs).toHaveLength(1_200);
		expect(host.staticData.seen).toHaveLength(1_000);
		expect(host.stored.length).toBeLessThan(30_000);
		await host.deliver({ body: claim('job-1') });
		expect(host.runs).toHaveLength(1_200);
	});

	test('out of order makes no difference: each of the two starts its run', async () => {
		await sandbox.web.post(`/_sandbox/sessions/${upcomingSession}/start`, {});
		await sandbox.web.post(`/_sandbox/sessions/${upcomingSession}/end`, {});
		const host = await listen({ events: ['session.started', 'session.ended'] });
		for (const kind of ['session.ended', 'session.started', 'session.ended']) {
			await host.deliver({ body: envelope(kind, 'sessions', upcomingSession) });
		}
		expect(host.items.map(({ event }) => event)).toEqual(['session.ended', 'session.started']);
	});
});

describe('two hundred deliveries at once', () => {
	test('of one job whose confirmation fails are all told to come again', async () => {
		const id = await startJob();
		await sandbox.jobEnd(id);
		const host = await listen();
		await sandbox.faults([{ match: { path: '/v1/jobs/:id' }, times: 1, do: '500' }]);
		const before = (await confirmations()).length;
		const all = await Promise.all(
			Array.from({ length: 200 }, () => host.deliver({ body: claim(id) })),
		);
		expect(all.every(({ sent }) => sent?.status === 503)).toBe(true);
		expect((await confirmations()).length - before).toBe(1);
		await host.deliver({ body: claim(id) });
		expect(host.runs).toHaveLength(1);
	});

	test('of twenty jobs start twenty runs and cost twenty requests', async () => {
		const ids = await Promise.all(Array.from({ length: 20 }, () => startJob()));
		await Promise.all(ids.map((id) => sandbox.jobEnd(id)));
		const host = await listen({}, { databaseMs: 20 });
		const before = (await confirmations()).length;
		const all = await Promise.all(
			Array.from({ length: 200 }, (_, n) => host.deliver({ body: claim(ids[n % 20] ?? '') })),
		);
		expect(host.items.map(({ id }) => id).sort()).toEqual([...ids].sort());
		expect(all.filter(({ sent }) => sent?.status === 200)).toHaveLength(180);
		expect((await confirmations()).length - before).toBe(20);
		// Saves overtook each other; the process still knows them all.
		await Promise.all(ids.map((id) => host.deliver({ body: claim(id) })));
		expect(host.runs).toHaveLength(20);
	});
});

describe('outputs', () => {
	const emails = ['one@example.org', 'not an address', 'two@example.org'];

	test('tasks: one item for each person, with the id of the job', async () => {
		const host = await listen({ output: 'tasks' });
		const id = await startJob(emails);
		await host.until(() => host.runs.length > 0);
		expect(host.items).toHaveLength(3);
		expect(host.items[0]).toMatchObject({
			event: 'job.ended',
			job_id: id,
			status: 'succeeded',
			errors: [],
			person: { email: 'one@example.org' },
		});
		expect(host.items[1]).toMatchObject({ job_id: id, status: 'failed', person: null });
		expect(JSON.stringify(host.items)).not.toMatch(/connection_link|password_key/);
	});

	test('failed tasks: only those who were not registered', async () => {
		const host = await listen({ output: 'failedTasks' });
		await startJob(emails);
		await host.until(() => host.runs.length > 0);
		expect(host.items).toMatchObject([
			{ status: 'failed', errors: [{ code: expect.any(String) as string }] },
		]);
	});

	test('failed tasks of a job without any start nothing', async () => {
		const host = await listen({ output: 'failedTasks' });
		await startJob();
		await host.until(() => host.answers.length > 0);
		expect(host.answers).toEqual([200]);
		expect(host.runs).toEqual([]);
	});

	test('tasks that cannot be read yet make the delivery come again', async () => {
		const host = await listen({ output: 'tasks' });
		await sandbox.faults([
			{ match: { path: '/v1/jobs/:id/tasks' }, times: 1, do: '429', retryAfter: 0 },
		]);
		await startJob(emails);
		await host.until(() => host.runs.length > 0);
		expect(host.answers).toEqual([503, 200]);
		expect(host.runs).toHaveLength(1);
	});

	test('tasks are read where page parameters break the answer', async () => {
		const broken = await sandboxForTests({ rate: 500, tasksPaging: 'broken' });
		const host = await WebhookHost.start(broken, { parameters: { output: 'tasks' } });
		await host.activate();
		await broken.api.post(`/sessions/${upcomingSession}/people/bulk`, bulkOf(emails));
		await host.until(() => host.runs.length > 0);
		expect(host.items).toHaveLength(3);
	});

	test('all fifty people of a full job', async () => {
		const host = await listen({ output: 'tasks' });
		await startJob(Array.from({ length: 50 }, (_, n) => `full-${n}@example.org`));
		await host.until(() => host.runs.length > 0);
		expect(host.items).toHaveLength(50);
	});

	test('only jobs with failures, only the jobs that are listed', async () => {
		const host = await listen({ options: { onlyWithFailures: true } });
		await startJob();
		const failed = await startJob(emails);
		await host.until(() => host.answers.length === 2);
		expect(host.items).toMatchObject([{ id: failed, status: 'failed' }]);
		host.parameters = { options: { jobIds: `other, ${failed}`, deduplicate: false } };
		await host.deliver({ body: claim(failed) });
		await host.deliver({ body: claim(unknownId) });
		expect(host.runs).toHaveLength(2);
	});

	test('a job that claims failures but has none does not pass', async () => {
		const id = await startJob();
		await sandbox.jobEnd(id);
		const host = await listen({ options: { onlyWithFailures: true } });
		const { sent } = await host.deliver({ body: claim(id, { status: 'failed', total_fail: 1 }) });
		expect(sent?.status).toBe(200);
		expect(host.runs).toEqual([]);
	});

	test('people of one session or event only', async () => {
		const host = await listen({
			events: ['people.registered'],
			options: { sessionId: upcomingSession },
		});
		const { data } = await sandbox.api.get<{ data: { id: string }[] }>('/sessions?page[size]=50');
		const other = data.data.find(({ id }) => id !== upcomingSession)?.id;
		await sandbox.api.post(`/sessions/${other}/people`, personOf('other@example.org'));
		await sandbox.api.post(`/sessions/${upcomingSession}/people`, personOf('ours@example.org'));
		await host.until(() => host.answers.length === 2);
		expect(host.items).toMatchObject([{ email: 'ours@example.org' }]);
		expect(host.answers).toEqual([200, 200]);
	});
});

describe('a test in the editor', () => {
	test('gets the event at its own URL, and gets it again when it is tried again', async () => {
		const host = await WebhookHost.start(sandbox);
		const stop = await host.listenForTest();
		await startJob();
		await host.until(() => host.runs.length === 1);
		const [delivery] = (await sandbox.web.get<{ id: string }[]>('/_sandbox/deliveries')).data;
		await sandbox.web.post(`/_sandbox/deliveries/${delivery?.id}/redeliver`, {});
		await host.until(() => host.runs.length === 2);
		expect(host.runs.every(({ isTest }) => isTest)).toBe(true);
		expect(host.stored).toBe('{}');
		await stop();
	});
});
