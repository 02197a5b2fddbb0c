import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { now, receiver } from './deliveries';

const ended = { data: { type: 'jobs', id: 'x-1', meta: { webhook: { event: 'job.ended' } } } };

/** Delivers a thing without a proof to a trigger that asks a platform with one answer. */
async function look(eventType: string, answer: object | Cause, attributes: JsonObject = {}) {
	const { deliver, asked } = receiver({ eventTypes: [eventType], verify: 'api' }, () => answer);
	const webhook = { event: eventType };
	const data = { type: 'things', id: 'x-1', attributes, meta: { webhook } };
	return { ...(await deliver({ data })), asked };
}

const responseWith = (attributes: JsonObject, id = 'x-1') => ({
	data: { type: 'things', id, attributes },
});

async function finding(eventType: string, answer: object | Cause): Promise<string> {
	const { status } = await look(eventType, answer);
	const words = new Map([
		[200, 'confirmed'],
		[401, 'denied'],
		[503, 'unclear'],
	]);
	return words.get(status) ?? String(status);
}

test.each<[string, JsonObject, string]>([
	['job.ended', { status: 'ended' }, 'confirmed'],
	['job.ended', { status: 'failed' }, 'confirmed'],
	['job.ended', { status: 'processing' }, 'denied'],
	['job.ended', { status: 'completed' }, 'confirmed'],
	['job.ended', { status: 'done', total_items: 2, total_processed_items: 2 }, 'confirmed'],
	['job.ended', { status: 'done', total_items: 2, total_processed_items: 1 }, 'denied'],
	['job.ended', { status: 'queued', total_items: 0, total_processed_items: 0 }, 'denied'],
	['event.created', {}, 'confirmed'],
	['event.published', { published_at: 5 }, 'confirmed'],
	['event.published', { published_at: 0 }, 'denied'],
	['session.created', {}, 'confirmed'],
	['session.started', { started_at: null }, 'denied'],
	['session.ended', { status: 'a platform that does not send the time' }, 'confirmed'],
	['people.registered', {}, 'confirmed'],
	['people.attended', { registrant_detail: { attended: true } }, 'confirmed'],
	['people.attended', { registrant_detail: { attended: false } }, 'denied'],
	['people.not_attended', { registrant_detail: { attended: false } }, 'confirmed'],
	['people.not_attended', { registrant_detail: { attended: true } }, 'denied'],
	['people.watched_replay', { registrant_detail: { has_viewed_replay: false } }, 'denied'],
	['people.watched_replay', {}, 'confirmed'],
])('%s of %j is %s', async (eventType, attributes, expected) =>
	expect(await finding(eventType, responseWith(attributes))).toBe(expected),
);

test('a job that shows beside its id that it has ended is confirmed', async () => {
	expect(await finding('job.ended', { id: 'x-1', status: 'ended' })).toBe('confirmed');
});

test.each<[Cause, string]>([
	['not_found', 'denied'],
	['unprocessable', 'denied'],
	['rate_limited', 'unclear'],
	['missing_scope', 'unclear'],
	['time_over', 'unclear'],
])('when the platform answers %s it is %s', async (reason, expected) =>
	expect(await finding('job.ended', reason)).toBe(expected),
);

test.each<[number, string, string, object]>([
	[401, '/jobs/x-1 does not confirm it', 'job.ended', responseWith({ status: 'queued' })],
	[503, '/jobs/x-1 did not answer with a record', 'job.ended', { data: [] }],
])('what is not confirmed is answered with %s: %s', async (status, reason, eventType, answer) =>
	expect(await look(eventType, answer)).toMatchObject({ status, reason }),
);

test('what answers without a record ends no webhook: the last attempts are accepted', async () => {
	const { deliver, later } = receiver({ eventTypes: ['job.ended'], verify: 'api' }, () => ({
		data: [],
	}));
	const statuses: number[] = [];
	for (const minutes of [0, 1, 2, 4, 6, 9]) {
		later(minutes);
		statuses.push((await deliver(ended)).status);
	}
	expect(statuses).toEqual([503, 503, 503, 503, 200, 200]);
});

test.each<[string, string, Cause]>([
	['shows no record of this type', 'poll.closed', 'not_found'],
	['does not show the sessions that it is about', 'session.ended', 'not_found'],
	['does not show the people that it is about', 'people.registered', 'unprocessable'],
])('where the API %s a delivery is answered well and needs a person', async (words, ...looked) =>
	expect(await look(...looked)).toMatchObject({
		status: 200,
		items: [],
		needsAttention: true,
		reason: `The platform's API ${words}, so nothing proves it. If no such delivery starts a run, choose 'Automatic' under 'Verify' and either 'Automatic' under 'Subscription' or a 'Webhook Signing Secret' in the credential, or choose 'None' under 'Verify' to accept any request`,
	}),
);

test.each(['x-2', 'X-1'])('the record of another id confirms nothing: %s', async (id) =>
	expect(await finding('job.ended', responseWith({ status: 'ended' }, id))).toBe('denied'),
);

test.each<[string, JsonObject, string[]]>([
	['job.ended', {}, ['/jobs/x-1']],
	['session.ended', {}, ['/sessions/x-1']],
	['event.created', {}, ['/events/x-1']],
	['people.watched_replay', { session_id: 's-1' }, ['/sessions/s-1/people/x-1']],
	['people.watched_replay', {}, ['/people/x-1']],
	['people.watched_replay', { session_id: '..' }, ['/people/x-1']],
	['poll.closed', {}, []],
])('%s with %j is looked up once at %s', async (eventType, registrant_detail, paths) => {
	const { asked } = await look(eventType, ['no record'], { registrant_detail });
	const once = paths.map((path) => ({
		method: 'GET',
		path,
		deadlineAtMs: now + 10_000,
		retry: 'onlyWhenRateLimited',
	}));
	expect(asked).toEqual(once);
});

test('an answer without a type gets that of the delivery', async () => {
	const { items } = await look('session.ended', { id: 'x-1' });
	expect(items).toMatchObject([{ type: 'things', id: 'x-1' }]);
});
