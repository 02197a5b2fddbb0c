import { canBeListed, findMissed } from '../../../nodes/EventPlatform/core/deliveries/happened';
import { kinds } from '../../../nodes/EventPlatform/core/deliveries/kinds';
import { Failure } from '../../../nodes/EventPlatform/core/http/failure';
import type { Api, ApiRequest, JsonObject } from '../../../nodes/EventPlatform/core/http/ports';

const since = 1_700_000_000;
const none = { jobIds: [], onlyWithFailures: false, sessionId: '', eventId: '' };

/** A platform with these lists, by path. */
function platform(lists: Record<string, JsonObject[]>) {
	const asked: string[] = [];
	const queries: Array<ApiRequest['query']> = [];
	const call = ({ path, query }: ApiRequest) => {
		asked.push(path);
		queries.push(query);
		return Promise.resolve({ status: 200, headers: {}, body: { data: lists[path] ?? [] } });
	};
	const api: Api = Object.assign(call, { usage: { requests: 0, perSecond: 5 } });
	return { api, asked, queries };
}

const session = (id: string, attributes: JsonObject) => ({
	type: 'sessions',
	id,
	attributes: { event_id: 'e', ended_at: 0, started_at: 0, ...attributes },
});

const person = (id: string, detail: JsonObject) => ({
	type: 'people',
	id,
	attributes: { registrant_detail: { session_id: 's', ...detail } },
});

async function told(api: Api, wanted: readonly string[], filters = none): Promise<string[]> {
	const gap = Object.fromEntries(wanted.map((kind) => [kind, since * 1_000 + 500]));
	const found = await findMissed(api, gap, filters);
	return found.map(({ kind, record }) => `${kind} ${record.id}`);
}

test('what happened since then is found, oldest first, and what was before is not', async () => {
	const { api } = platform({
		'/sessions': [
			session('s', { created_at: since - 9, started_at: since + 5, ended_at: since + 7 }),
			session('new', { created_at: since + 6 }),
		],
		'/sessions/s/people': [
			person('there', { created_at: since + 1, attended: true }),
			person('absent', { created_at: since - 1, attended: false }),
		],
		'/events': [
			{ type: 'events', id: 'e', attributes: { created_at: since, published_at: since + 9 } },
			{ type: 'events', id: 'draft', attributes: { created_at: since - 1, published_at: 0 } },
		],
	});
	expect(await told(api, Object.keys(kinds))).toEqual([
		'event.created e',
		'people.registered there',
		'session.started s',
		'session.created new',
		'session.ended s',
		'people.attended there',
		'people.not_attended absent',
		'event.published e',
	]);
});

test('only what is wanted is asked for, and only of sessions where something may have happened', async () => {
	const { api, asked } = platform({
		'/sessions': [
			session('over', { ended_at: since - 1, updated_at: since - 1 }),
			session('changed', { ended_at: since - 1, updated_at: since }),
			session('open', {}),
		],
	});
	await told(api, ['people.registered']);
	expect(asked).toEqual(['/sessions', '/sessions/changed/people', '/sessions/open/people']);
});

test('nobody has attended a session that is not over, nor stayed away from it', async () => {
	const { api } = platform({
		'/sessions': [session('s', { started_at: since + 1 })],
		'/sessions/s/people': [person('p', { attended: false }), person('q', { attended: true })],
	});
	expect(await told(api, ['people.attended', 'people.not_attended'])).toEqual([]);
});

test.each([
	[['people.not_attended'], since + 1, undefined],
	[['people.attended'], since, undefined],
	[['people.registered', 'people.attended'], since + 1, undefined],
	[['people.not_attended'], since - 1, since],
	[['people.registered'], since + 1, since],
])('%j of a session that ended at %i are read from %s on', async (wanted, ended_at, from) => {
	const { api, queries } = platform({
		'/sessions': [session('s', { ended_at, updated_at: since + 1 })],
		// Registered long ago; nobody touched the record when the session ended.
		'/sessions/s/people': [person('p', { created_at: 1, updated_at: 1, attended: false })],
	});
	await told(api, wanted);
	expect(queries.at(-1)?.['filter[updated_since]']).toBe(from);
});

test('people of a session that was deleted meanwhile are none', async () => {
	const { api } = platform({ '/sessions': [session('gone', {}), session('s', {})] });
	const failing = (reason: 'not_found' | 'platform_error'): Api => {
		const call = (request: ApiRequest) =>
			request.path === '/sessions/gone/people'
				? Promise.reject(new Failure(reason, request))
				: api(request);
		return Object.assign(call, { usage: api.usage });
	};
	expect(await told(failing('not_found'), ['people.registered'])).toEqual([]);
	await expect(told(failing('platform_error'), ['people.registered'])).rejects.toThrow(
		'platform_error',
	);
});

test.each([
	[['event.created'], ['/events'], since],
	[['session.created'], ['/sessions'], since],
	// Whether a registration changes the session's updated_at is not documented.
	[['people.registered'], ['/sessions'], undefined],
])('%j asks for %j, changed since %s', async (wanted, lists, from) => {
	const { api, asked, queries } = platform({});
	await told(api, wanted);
	expect(asked).toEqual(lists);
	expect(queries[0]?.['filter[updated_since]']).toBe(from);
});

test('a filter for one session costs the people of that session only', async () => {
	const { api, asked } = platform({ '/sessions': [session('a', {}), session('b', {})] });
	await told(api, ['people.registered'], { ...none, sessionId: 'b' });
	expect(asked).toEqual(['/sessions', '/sessions/b/people']);
});

test('ended jobs, watched replays and unknown kinds have no list, and cost nothing', async () => {
	const wanted = ['job.ended', 'people.watched_replay', 'poll.closed', 'constructor'];
	expect(wanted.map(canBeListed)).toEqual([false, false, false, false]);
	const { api, asked } = platform({});
	expect(await told(api, wanted)).toEqual([]);
	expect(asked).toEqual([]);
});
