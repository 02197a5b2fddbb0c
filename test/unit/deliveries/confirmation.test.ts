import { confirm } from '../../../nodes/EventPlatform/core/deliveries/confirmation';
import type { Delivery } from '../../../nodes/EventPlatform/core/deliveries/delivery';
import { Failure, type Cause } from '../../../nodes/EventPlatform/core/http/failure';
import type { Api, ApiRequest, JsonObject } from '../../../nodes/EventPlatform/core/http/ports';

/** A platform that has one answer. */
function platform(answer: unknown) {
	const asked: ApiRequest[] = [];
	const call = (request: ApiRequest) => {
		asked.push(request);
		if (answer instanceof Failure) return Promise.reject(answer);
		return Promise.resolve({ status: 200, headers: {}, body: answer });
	};
	const api: Api = Object.assign(call, { usage: { requests: 0, perSecond: 5 } });
	return { api, asked };
}

function delivery(kind: string, attributes: JsonObject = {}, id = 'x-1'): Delivery {
	return { kind, record: { type: 'things', id, attributes, relationships: {} } };
}

const shown = (attributes: JsonObject, id = 'x-1') => ({
	data: { type: 'things', id, attributes },
});

async function finding(kind: string, answer: unknown): Promise<string> {
	const found = await confirm(delivery(kind), platform(answer).api, 1);
	return Object.keys(found).join();
}

test.each<[string, JsonObject, string]>([
	['job.ended', { status: 'ended' }, 'confirmed'],
	['job.ended', { status: 'failed' }, 'confirmed'],
	['job.ended', { status: 'processing' }, 'denied'],
	['job.ended', {}, 'denied'],
	['job.ended', { status: 'completed', total_items: 2, total_processed_items: 2 }, 'confirmed'],
	['job.ended', { status: 'completed', total_tasks: 2, total_processed_tasks: 2 }, 'confirmed'],
	['job.ended', { status: 'completed', total_items: 2, total_processed_items: 1 }, 'denied'],
	['job.ended', { status: 'processing', total_items: 2, total_processed_items: 2 }, 'denied'],
	['job.ended', { status: 'queued', total_items: 0, total_processed_items: 0 }, 'denied'],
	['event.created', {}, 'confirmed'],
	['event.published', { published_at: 5 }, 'confirmed'],
	['event.published', { published_at: 0 }, 'denied'],
	['session.created', {}, 'confirmed'],
	['session.started', { started_at: 5 }, 'confirmed'],
	['session.started', { started_at: null }, 'denied'],
	['session.ended', { ended_at: 5 }, 'confirmed'],
	['session.ended', { ended_at: 0 }, 'denied'],
	['session.ended', { status: 'a platform that does not send the time' }, 'confirmed'],
	['people.registered', {}, 'confirmed'],
	['people.attended', { registrant_detail: { attended: true } }, 'confirmed'],
	['people.attended', { registrant_detail: { attended: false } }, 'denied'],
	['people.not_attended', { registrant_detail: { attended: false } }, 'confirmed'],
	['people.not_attended', { registrant_detail: { attended: true } }, 'denied'],
	['people.watched_replay', { registrant_detail: { has_viewed_replay: true } }, 'confirmed'],
	['people.watched_replay', { registrant_detail: { has_viewed_replay: false } }, 'denied'],
	['people.watched_replay', {}, 'confirmed'],
])('%s of %j is %s', async (kind, attributes, expected) =>
	expect(await finding(kind, shown(attributes))).toBe(expected),
);

test.each<[Cause, number | undefined, string]>([
	['not_found', 404, 'denied'],
	['refused', 400, 'denied'],
	['refused', 410, 'denied'],
	['unprocessable', 422, 'denied'],
	['rate_limited', 429, 'unclear'],
	['quota_spent', 429, 'unclear'],
	['platform_error', 502, 'unclear'],
	['unauthorized', 401, 'unclear'],
	['missing_scope', 403, 'unclear'],
	['workspace_blocked', 403, 'unclear'],
	['time_over', undefined, 'unclear'],
	['unreachable', undefined, 'unclear'],
	['not_json', 200, 'unclear'],
])('when the platform answers %s (%s) it is %s', async (reason, status, expected) => {
	const failure = new Failure(reason, { method: 'GET', path: '/jobs/x-1' }, { status });
	expect(await finding('job.ended', failure)).toBe(expected);
});

test('it is said where the platform says otherwise, and where it gives no record', async () => {
	const found = async (answer: unknown) => confirm(delivery('job.ended'), platform(answer).api, 1);
	expect(await found(shown({ status: 'queued' }))).toEqual({
		denied: '/jobs/x-1 does not confirm it',
	});
	expect(await found('text')).toEqual({ unclear: '/jobs/x-1 did not answer with a record' });
	const odd = await confirm(delivery('poll.closed'), platform({}).api, 1);
	expect(odd).toEqual({ denied: 'The platform shows no record of this type' });
});

test('the record of another id confirms nothing', async () => {
	expect(await finding('job.ended', shown({ status: 'ended' }, 'x-2'))).toBe('denied');
	expect(await finding('job.ended', shown({ status: 'ended' }, 'X-1'))).toBe('denied');
});

test('what is no record confirms nothing, and is asked again', async () => {
	expect(await finding('job.ended', 'text')).toBe('unclear');
	expect(await finding('job.ended', { data: [] })).toBe('unclear');
});

test('an error of our own is not taken for an answer of the platform', async () => {
	const api = Object.assign(() => Promise.reject(new TypeError('ours')), {
		usage: { requests: 0, perSecond: 5 },
	});
	await expect(confirm(delivery('job.ended'), api, 1)).rejects.toThrow('ours');
});

const inSession = { registrant_detail: { session_id: 's-1' } };

test.each<[Delivery, string | undefined]>([
	[delivery('job.ended'), '/jobs/x-1'],
	[delivery('session.ended'), '/sessions/x-1'],
	[delivery('event.created'), '/events/x-1'],
	[delivery('people.registered', inSession), '/sessions/s-1/people/x-1'],
	[delivery('people.registered'), '/people/x-1'],
	[delivery('people.registered', { registrant_detail: { session_id: '..' } }), '/people/x-1'],
	[delivery('poll.closed'), undefined],
])('%j is looked up once at %s', async (given, path) => {
	const { api, asked } = platform(shown({ status: 'ended' }));
	await confirm(given, api, 77);
	const expected = path ? [{ method: 'GET', path, deadline: 77, once: true }] : [];
	expect(asked).toEqual(expected);
});

test('an answer without a type gets that of the delivery', async () => {
	const { api } = platform({ id: 'x-1', attributes: { status: 'ended' } });
	expect(await confirm(delivery('job.ended'), api, 1)).toMatchObject({
		confirmed: { type: 'things', id: 'x-1' },
	});
});
