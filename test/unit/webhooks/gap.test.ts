import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { gapOf, readMissed, type Gap } from '../../../nodes/EventPlatform/core/webhooks/gap';
import { eventTypeTable } from '../../../nodes/EventPlatform/core/events/eventTypes';
import { deliveryKey } from '../../../nodes/EventPlatform/core/events/eventKey';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { noFilters } from '../../support/runs/filters';
import { fakePlatform, pageOf } from '../../support/platform/fakePlatform';
import { minuteSeconds, hourSeconds } from '../../support/time/units';
import { polledRun } from '../../support/runs/measuredClient';

const since = 1_700_000_000;

/** A platform with these lists, by path, and a trigger that had no subscription for an hour. */
class Missing {
	nowSeconds = since + hourSeconds;
	failing?: string;
	cause: Cause = 'platform_error';
	seen = new Set<string>();
	gap?: Gap;
	/** The causes of what the last look could not read. */
	causes: Cause[] = [];
	private readonly platform = fakePlatform(({ path, query }) =>
		path === this.failing ? this.cause : pageOf(this.lists[path] ?? [], query),
	);

	constructor(
		eventTypes: readonly string[],
		readonly lists: Record<string, JsonObject[]>,
		readonly filters = noFilters,
	) {
		this.gap = {
			beganAtMs: Object.fromEntries(
				eventTypes.map((eventType) => [eventType, since * 1_000 + 500]),
			),
		};
	}

	get requests(): string[] {
		return this.platform.asked.map(({ path }) => path);
	}

	/** Gives the missed events. The stored gap goes through JSON, as in n8n's database. */
	async look(): Promise<string[]> {
		if (!this.gap) throw new Error('It is closed');
		const gap = JSON.parse(JSON.stringify(this.gap)) as Gap;
		const now = () => this.nowSeconds * 1_000;
		const history = { has: (key: string) => this.seen.has(key), now };
		const run = polledRun(this.platform.ask, now);
		const reading = await readMissed(run, gap, this.filters, history);
		this.gap = reading.left;
		this.causes = reading.failures.map(({ cause }) => cause);
		for (const event of reading.news) this.seen.add(deliveryKey(event));
		return reading.news.map(({ eventType, record }) => `${eventType} ${record.id}`);
	}
}

const session = (id: string, attributes: JsonObject = {}) => {
	return {
		type: 'sessions',
		id,
		attributes: { event_id: 'e', ended_at: 0, started_at: 0, registrants_count: 2, ...attributes },
	};
};
const person = (id: string, detail: JsonObject) => {
	return { type: 'people', id, attributes: { registrant_detail: { session_id: 's', ...detail } } };
};
const joined = (id: string, created_at: number) => person(id, { created_at });

const created = (id: string, created_at: number) => {
	return { type: 'events', id, attributes: { created_at } };
};

test('what happened in the gap is found, oldest first, and what was before is not', async () => {
	const missing = new Missing(Object.keys(eventTypeTable), {
		'/sessions': [
			session('s', { created_at: since - 9, started_at: since + 5, ended_at: since + 7 }),
			session('new', { created_at: since + 6 }),
			session('over', { ended_at: since - 2 * 24 * hourSeconds }),
			session('canceled', { status: 'canceled', canceled_at: since + 8 }),
		],
		'/sessions/s/people': [
			person('there', { created_at: since + 1, attended: true }),
			person('absent', { created_at: since - 1, attended: false }),
		],
		'/sessions/canceled/people': [joined('disappointed', since + 2)],
		'/events': [
			{ type: 'events', id: 'e', attributes: { created_at: since, published_at: since + 9 } },
			{ type: 'events', id: 'draft', attributes: { created_at: since - 1, published_at: 0 } },
		],
	});
	missing.nowSeconds = since + 2 * hourSeconds;
	expect(await missing.look()).toEqual([
		'event.created e',
		'people.registered there',
		'people.registered disappointed',
		'session.started s',
		'session.created new',
		'session.ended s',
		'people.attended there',
		'people.not_attended absent',
		'event.published e',
	]);
	expect(missing.requests).not.toContain('/sessions/over/people');
	expect(missing.gap).toBeUndefined();
});

test('who registered in the gap for a session that nobody has begun is found, though its planned start was before', async () => {
	const missing = new Missing(['people.registered'], {
		'/sessions': [session('s', { status: 'past_not_started', estimated_started_at: since - 60 })],
		'/sessions/s/people': [joined('late', since + 1)],
	});
	expect(await missing.look()).toEqual(['people.registered late']);
});

test('each event type is caught up from its own moment, without what was delivered', async () => {
	const delivered = joined('delivered', since + 31 * minuteSeconds);
	const people = [
		joined('early', since + 29 * minuteSeconds),
		delivered,
		joined('missed', since + 2_000),
	];
	const missing = new Missing([], {
		'/sessions': [session('s', { created_at: since + minuteSeconds })],
		'/sessions/s/people': people,
	});
	const registered = (since + 30 * minuteSeconds) * 1_000;
	missing.gap = {
		beganAtMs: { 'session.created': since * 1_000, 'people.registered': registered },
	};
	const record = { ...delivered, relationships: {} };
	missing.seen.add(deliveryKey({ eventType: 'people.registered', record }));
	expect(await missing.look()).toEqual(['session.created s', 'people.registered missed']);
});

test('what is delivered while the lists are read is not told again', async () => {
	const lists = { '/sessions': [session('s')], '/sessions/s/people': [joined('p', since + 1)] };
	const missing = new Missing(['people.registered'], lists);
	// Between the look at the lists and its end.
	const isNew = jest.spyOn(missing.seen, 'has').mockReturnValueOnce(false);
	isNew.mockReturnValue(true);
	expect(await missing.look()).toEqual([]);
});

test('one session that answers 500 holds back nothing else, and is caught up when it answers', async () => {
	const missing = new Missing(['people.registered'], {
		'/sessions': [session('broken'), session('s')],
		'/sessions/broken/people': [joined('late', since + 1)],
		'/sessions/s/people': [joined('soon', since + 2)],
	});
	missing.failing = '/sessions/broken/people';
	expect(await missing.look()).toEqual(['people.registered soon']);
	// Subscribed again: what happens now is delivered, however many keys are forgotten meanwhile.
	missing.seen.clear();
	missing.nowSeconds += 6 * hourSeconds;
	missing.lists['/sessions/s/people']?.push(joined('delivered', missing.nowSeconds - hourSeconds));
	missing.lists['/sessions'] = [session('broken'), session('s', { registrants_count: 3 })];
	missing.failing = undefined;
	expect(await missing.look()).toEqual(['people.registered late']);
	expect(missing.gap).toBeUndefined();
});

test.each<Cause>(['not_found', 'page_out_of_range'])(
	'a list that is not there (%s), although its session counts people, keeps the gap open, which is said, and is caught up when it is there',
	async (cause) => {
		const missing = new Missing(['people.registered'], {
			'/sessions': [session('s')],
			'/sessions/s/people': [joined('late', since + 1)],
		});
		Object.assign(missing, { failing: '/sessions/s/people', cause });
		for (let look = 0; look < 2; look++) {
			expect([await missing.look(), missing.causes]).toEqual([[], [cause]]);
			missing.nowSeconds += hourSeconds;
		}
		missing.failing = undefined;
		expect(await missing.look()).toEqual(['people.registered late']);
		expect(missing.gap).toBeUndefined();
	},
);

describe('a gap whose list of events cannot be read', () => {
	const lists = () => ({
		'/sessions': [session('s', { created_at: since + 1 })],
		'/events': [created('e', since + 2)],
	});
	const eventTypes = ['session.created', 'event.created'];

	test.each<Cause>(['platform_error', 'forbidden'])('stays open after %s', async (cause) => {
		const missing = new Missing(eventTypes, lists());
		Object.assign(missing, { failing: '/events', cause });
		await missing.look();
		expect(missing.gap).toBeDefined();
	});

	test('gives what the other lists show, and the events once they can be read', async () => {
		const missing = new Missing(eventTypes, lists());
		missing.failing = '/events';
		expect(await missing.look()).toEqual(['session.created s']);
		missing.failing = undefined;
		missing.nowSeconds += 6 * hourSeconds;
		expect(await missing.look()).toEqual(['event.created e']);
		expect(missing.gap).toBeUndefined();
	});
});

test('who registered for a session on demand is caught up, whatever end the session has', async () => {
	const longAgo = since - 90 * 24 * hourSeconds;
	const times = {
		estimated_started_at: longAgo,
		started_at: longAgo,
		ended_at: longAgo + hourSeconds,
	};
	const missing = new Missing(['people.registered'], {
		'/sessions': [
			session('replay', { status: 'on_demand', ...times }),
			session('over', { status: 'past', ...times }),
		],
		'/sessions/replay/people': [joined('before', since - 1), joined('viewer', since + 5)],
		'/sessions/over/people': [joined('nobody', since + 6)],
	});
	expect(await missing.look()).toEqual(['people.registered viewer']);
});

test('who watched the replay is found where the session ended in the gap, because nothing tells when it was watched', async () => {
	const watched = (id: string) => person(id, { has_viewed_replay: true });
	const missing = new Missing(['people.watched_replay'], {
		'/sessions': [
			session('s', { ended_at: since + minuteSeconds }),
			session('before', { ended_at: since - minuteSeconds }),
		],
		'/sessions/s/people': [watched('viewer'), person('other', { has_viewed_replay: false })],
		'/sessions/before/people': [watched('late')],
	});
	expect(await missing.look()).toEqual(['people.watched_replay viewer']);
	expect(missing.gap).toBeUndefined();
});

test('the gap stays open while attendance is not settled: nobody is absent too early', async () => {
	const missing = new Missing(['people.attended', 'people.not_attended'], {
		'/sessions': [session('s', { ended_at: since + hourSeconds - 5 * minuteSeconds })],
		'/sessions/s/people': [person('p', { attended: true }), person('q', { attended: false })],
	});
	expect(await missing.look()).toEqual(['people.attended p']);
	missing.nowSeconds += 6 * hourSeconds;
	expect(await missing.look()).toEqual(['people.not_attended q']);
	expect(missing.gap).toBeUndefined();
});

test('where the session of the filter is gone, nothing is left to catch up', async () => {
	const missing = new Missing(['people.registered'], {}, { ...noFilters, sessionId: 'gone' });
	Object.assign(missing, { failing: '/sessions/gone', cause: 'not_found' });
	expect([await missing.look(), missing.gap, missing.causes]).toEqual([[], undefined, []]);
});

test.each([
	{ eventType: 'people.registered', list: '/sessions/s/people', record: joined },
	{ eventType: 'event.created', list: '/events', record: created },
])(
	'more than one run takes of $eventType: the rest comes with the next check, once',
	async (row) => {
		const { eventType, list, record } = row;
		const all = Array.from({ length: 2_003 }, (_, n) => record(`p${n}`, since + 1 + n));
		const missing = new Missing([eventType], { '/sessions': [session('s')], [list]: all });
		expect(await missing.look()).toHaveLength(2_000);
		missing.seen.clear();
		missing.nowSeconds += 6 * hourSeconds;
		const rest = [0, 1, 2].map((n) => `${eventType} p${2_000 + n}`);
		expect(await missing.look()).toEqual(rest);
		expect(missing.gap).toBeUndefined();
	},
);

test('what the platform does not list costs nothing, and neither does a job that was named', async () => {
	const unlisted = ['job.ended', 'poll.closed'];
	const missing = new Missing(unlisted, {}, { ...noFilters, jobIds: ['j'] });
	expect([await missing.look(), missing.requests]).toEqual([[], []]);
});

const at = since * 1_000;
const before = 22 * 60_000;
const subscription: Parameters<typeof gapOf>[0] = {
	ids: { a: '1', b: '2' },
	madeAt: 1,
	seenAt: at,
};

test.each<[string, Parameters<typeof gapOf>, Gap['beganAtMs'] | undefined]>([
	['nowhere while all is subscribed', [subscription, [], {}], undefined],
	['22 minutes before the last look', [subscription, ['a'], {}], { a: at - before }],
	[
		'22 minutes before the last delivery of its event type, if that was later',
		[subscription, ['a', 'b'], { a: at + 5, b: at - 5 }],
		{ a: at + 5 - before, b: at - before },
	],
	['not before the subscription was made', [{ ...subscription, madeAt: at }, ['a'], {}], { a: at }],
	['not for an event type that was not subscribed', [subscription, ['c'], {}], undefined],
	[
		'where an open one began',
		[{ ...subscription, missed: { beganAtMs: { a: 7 } } }, ['a'], {}],
		{ a: 7 },
	],
])('a gap begins %s', (_, parameters, expected) =>
	expect(gapOf(...parameters)?.beganAtMs).toEqual(expected),
);
