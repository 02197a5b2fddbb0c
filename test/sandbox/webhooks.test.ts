import type { ApiRecord } from '../../sandbox/platform';
import { afterAttempt } from '../../sandbox/webhooks/schedule';
import { openReceiver, type Delivery } from '../support/platform/webhookReceiver';
import { personOf, sandboxOfFile } from '../support/platform/sandbox';
import { finishedJob } from '../support/platform/requests';
import { eventually } from '../support/time/eventually';

const sandbox = sandboxOfFile();
beforeEach(() => sandbox.reset());

test('each kind is delivered when it happens, in the shape of the contract', async () => {
	const kinds = [
		'event.created',
		'event.published',
		'session.created',
		'session.started',
		'session.ended',
		'people.registered',
		'people.watched_replay',
		'people.not_attended',
	];
	const { url, deliveries } = await openReceiver();
	for (const kind of kinds) await sandbox.subscribe(url, kind);
	const { api, web } = sandbox;
	const made = async (path: string, data: object) =>
		(await api.post<{ data: ApiRecord }>(path, { data })).data.data.id;
	const title = { title: 'Open house', status: 'published' };
	const event = await made('/events', { type: 'events', attributes: title });
	const session = await made(`/events/${event}/sessions`, {
		type: 'sessions',
		attributes: { estimated_started_at: '2030-01-01 10:00:00' },
	});
	const person = await made(`/sessions/${session}/people`, personOf('ada@example.org').data);
	for (const deed of ['start', 'end', `people/${person}/watch_replay`]) {
		await web.post(`/_sandbox/sessions/${session}/${deed}`, {});
	}
	await eventually(() => deliveries.length >= kinds.length);
	// The sandbox holds what it sends against the contract.
	expect(deliveries.map(kindOf).sort()).toEqual(kinds.sort());
});

test('after the last try the subscription is disabled, and nothing more comes', async () => {
	const { url, deliveries } = await openReceiver(() => 500);
	await sandbox.subscribe(url, 'job.ended');
	await finishedJob(sandbox, ['first@example.org']);
	await eventually(async () => (await sandbox.subscriptions()).length === 0);
	await finishedJob(sandbox, ['second@example.org']);
	expect(deliveries).toHaveLength(6);
});

test('what fails is tried after 30 s, 1 m, 2.5 m, 6 m and 12 m, and then no more', () => {
	const failed = { status: 500, error: null } as const;
	const waits = [1, 2, 3, 4, 5].map((attempt) => afterAttempt(failed, attempt, 1));
	expect(waits).toEqual([30, 60, 150, 360, 720].map((s) => ({ retryInMs: s * 1000 })));
	expect(afterAttempt(failed, 6, 1)).toBe('failed');
	expect(afterAttempt({ status: 410, error: null }, 1, 1)).toEqual(waits[0]);
	expect(afterAttempt({ status: 301, error: null }, 1, 1)).toBe('dropped');
	expect(afterAttempt(failed, 1, 0.01)).toEqual({ retryInMs: 300 });
});

function kindOf({ body }: Delivery): string {
	return (body as { data: { meta: { webhook: { event: string } } } }).data.meta.webhook.event;
}
