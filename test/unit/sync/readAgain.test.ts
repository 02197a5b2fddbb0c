import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { SessionCache } from '../../../nodes/EventPlatform/core/sessions/sessionCache';
import type { Entry, Intent } from '../../../nodes/EventPlatform/core/sync/intent';
import type { SyncPlan } from '../../../nodes/EventPlatform/core/sync/plan';
import { keepPeopleOfBegunSessions } from '../../../nodes/EventPlatform/core/sync/readAgain';
import { fakePlatform } from '../../support/platform/fakePlatform';
import { rowFor } from '../../support/runs/simulation';
import { VirtualClock } from '../../support/time/virtualClock';

const clock = new VirtualClock();
const tomorrow = clock.now() / 1_000 + 86_400;
const upcoming = { status: 'upcoming', estimated_started_at: tomorrow };

interface Reading {
	/** The attributes that the platform shows of a session by now, or why it shows none. The others are still to come. */
	shows?: Record<string, JsonObject | Cause>;
	signal?: AbortSignal;
}

/** Reads the sessions of these people again; gives their intents, and the paths that were asked for. */
async function intentsAfter(people: Array<[string, Intent]>, { shows = {}, signal }: Reading = {}) {
	const { ask, asked } = fakePlatform(({ path }) => {
		const id = path.split('/').at(-1) ?? '';
		const attributes = shows[id] ?? upcoming;
		return typeof attributes === 'string' ? attributes : { data: { id, attributes } };
	});
	const entries = people.map(([sessionId, intent], index): Entry => {
		return { ...rowFor(sessionId, `p${index}@example.com`), index, intent };
	});
	const sessions = new Map(['a', 'b'].map((id) => [id, { name: `Session ${id}` }]));
	const plan: Pick<SyncPlan, 'entries' | 'sessions'> = { entries: entries, sessions };
	const parts = { clock, sessions: new SessionCache(ask), signal };
	await keepPeopleOfBegunSessions(plan as SyncPlan, parts, { askFor: () => ask });
	return {
		entries,
		kinds: entries.map(({ intent }) => intent.kind),
		paths: asked.map(({ path }) => path),
	};
}

const remove: Intent = { kind: 'remove' };

test.each<[string, JsonObject | Cause]>([
	['is live', { status: 'live', started_at: 1 }],
	['is over', { status: 'past', ended_at: 1 }],
	['was canceled', { status: 'canceled' }],
	['has an unknown status', { status: 'unheard_of' }],
	['should have begun', { ...upcoming, estimated_started_at: 1 }],
	['is gone', 'not_found'],
	['cannot be read', 'platform_error'],
])('everybody stays in a session that by now %s', async (_, sessionNow) => {
	const { kinds } = await intentsAfter(
		[
			['a', remove],
			['a', remove],
		],
		{ shows: { a: sessionNow } },
	);
	expect(kinds).toEqual(['keep', 'keep']);
});

test('people are removed from a session that is still to come', async () => {
	expect((await intentsAfter([['a', remove]])).kinds).toEqual(['remove']);
});

test('a session that has begun keeps nobody in another one', async () => {
	const shows = { a: { status: 'live' } };
	const { kinds } = await intentsAfter(
		[
			['a', remove],
			['b', remove],
		],
		{ shows },
	);
	expect(kinds).toEqual(['keep', 'remove']);
});

test('nothing but a removal is taken back', async () => {
	const add: Intent = { kind: 'add', reasons: [] };
	const update: Intent = { kind: 'update', changes: [] };
	const shows = { a: { status: 'live' } };
	const { kinds } = await intentsAfter(
		[
			['a', add],
			['a', update],
			['a', remove],
		],
		{ shows },
	);
	expect(kinds).toEqual(['add', 'update', 'keep']);
});

test('a session is read once, however many are removed from it', async () => {
	expect(
		(
			await intentsAfter([
				['a', remove],
				['a', remove],
			])
		).paths,
	).toEqual(['/sessions/a']);
});

test('a session from which nobody is removed costs no request', async () => {
	expect((await intentsAfter([['a', { kind: 'add', reasons: [] }]])).paths).toEqual([]);
});

test('a run that is cancelled asks for nothing', async () => {
	const signal = AbortSignal.abort();
	expect((await intentsAfter([['a', remove]], { signal })).paths).toEqual([]);
});

test.each<[string, string, JsonObject | Cause]>([
	['its name where it has begun', 'Session a is live', { status: 'live' }],
	['its name where it cannot be read', 'Session a could not be read again', 'platform_error'],
])('whoever is kept is told the session by %s', async (_, words, sessionNow) => {
	const { entries } = await intentsAfter([['a', remove]], { shows: { a: sessionNow } });
	expect(entries[0]?.intent).toMatchObject({
		reason: { code: 'kept', message: expect.stringContaining(words) as string },
	});
});
