import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import {
	historyOf,
	readDeliveries,
	readPolling,
	storeDeliveries,
} from '../../../nodes/EventPlatform/triggers/storage';
import type { Context } from '../../../nodes/EventPlatform/triggers/triggerContext';
import { eachPart, titleOf } from '../../support/n8n/replacedParts';
import { dayMs } from '../../support/time/units';

const now = 1_800_000_000;

beforeEach(() => {
	jest.spyOn(Date, 'now').mockReturnValue(now * 1_000);
});

let created = 0;

/** A trigger, as far as what is stored of it depends on n8n, and what it logged. */
function triggerWith(stored: unknown, workflow = `workflow-${++created}`) {
	const warnings: string[] = [];
	const context = {
		getWorkflow: () => ({ id: workflow }),
		getNode: () => ({ id: 'trigger', name: 'Trigger' }),
		getMode: () => 'webhook',
		getWorkflowStaticData: () => stored as IDataObject,
		logger: { warn: (text: string) => warnings.push(text) },
	} as unknown as IHookFunctions;
	return { context: context as Context, warnings };
}

/** In the order in which it is read, so that it is not written again. */
const bookmark = {
	sinceAt: now - 607,
	timedKeys: 'abcdefgh',
	untimedKeys: 'ijklmnop',
	hasToldAbsent: true,
	readAt: now,
	againAt: now,
	rest: { page: 3, sinceAt: now, beganAt: now, hasToldAbsent: true },
	missedAt: now,
};
const cursor = {
	startedAt: now - 500,
	polledAt: now,
	lists: {
		'/events': bookmark,
		'/sessions': { sinceAt: now - 607, timedKeys: '', untimedKeys: '' },
		'/sessions/s/people': {
			sinceAt: now - 607,
			timedKeys: '',
			untimedKeys: '',
			isOldKnown: true,
			readAt: now,
			trouble: { sinceAt: now, triedAt: now },
			shown: '[1]',
		},
	},
	fullList: { searchKey: 'all', listedAt: now, listedNext: 'all' },
	keptSessionIds: ['session'],
	registrationTimes: 'present',
	hasMore: true,
};

const polling = {
	cursor,
	allowance: { owed: 7, atMs: now * 1_000, cost: 1.5, startPollAtMs: now * 1_000 },
};

const deliveries = {
	subscription: {
		url: 'https://n8n.example.com/webhook/a',
		ids: { 'job.ended': 'one' },
		outdated: [{ id: 'other', url: 'https://n8n.example.com/webhook/b', keyDigest: 'digest' }],
		madeAgainAt: now * 1_000,
		madeAt: now * 1_000,
		seenAt: now * 1_000,
		missed: { beganAtMs: { 'job.ended': now * 1_000 }, endedAtMs: now * 1_000, cursor },
		isOfTest: true,
		keyDigest: 'digest',
		owner: 'owner',
	},
	seen: 'abcdefghijklmnop',
	arrived: { 'job.ended': now * 1_000 },
};

test('what is stored is read whole, as a copy', () => {
	const [polls, webhooks] = [triggerWith(polling), triggerWith(deliveries)];
	expect(readPolling(polls.context)).toEqual(polling);
	expect(readDeliveries(webhooks.context)).toEqual(deliveries);
	expect(readDeliveries(webhooks.context).arrived).not.toBe(deliveries.arrived);
	expect([...polls.warnings, ...webhooks.warnings]).toEqual([]);
});

test('a part of another shape is left out and told of once, and what it can do without stays', () => {
	const changed = {
		lists: { ...cursor.lists, late: { ...bookmark, readAt: 'yesterday' }, unknown: 7 },
		keptSessionIds: [{}, 'session', '..'],
		registrationTimes: 'other',
	};
	const stored = { cursor: { ...cursor, ...changed }, allowance: [] };
	const { context, warnings } = triggerWith(stored);
	const late = { ...bookmark, readAt: undefined };
	const lists = { ...cursor.lists, late };
	const read = { cursor: { ...cursor, lists, registrationTimes: undefined } };
	expect(readPolling(context)).toEqual(read);
	expect(readPolling(context)).toEqual(read);
	expect(warnings).toEqual([
		'Trigger cannot read a part of what n8n stored with the workflow (cursor.lists.late.readAt, cursor.lists.unknown, cursor.keptSessionIds.0, cursor.keptSessionIds.2, cursor.registrationTimes and 1 others) and begins that part anew. An event may start no run, or a second one.',
	]);
});

const least = { startedAt: now, polledAt: now, lists: {} };

test.each([
	['the registrations have no times', { cursor: { ...cursor, registrationTimes: 'missing' } }],
	['a trigger has polled once', { cursor: least }],
	['a trigger has never polled', {}],
])('what is stored is read whole where %s', (_, stored) => {
	const { context, warnings } = triggerWith(stored);
	expect([readPolling(context), warnings]).toEqual([stored, []]);
});

test.each([
	['a cursor without a start', { cursor: { ...cursor, startedAt: null } }],
	['a cursor without a poll', { cursor: { ...cursor, polledAt: undefined } }],
	['a cursor without lists', { cursor: { ...cursor, lists: undefined } }],
	['a cursor that counts in milliseconds', { cursor: { ...cursor, polledAt: now * 1_000 } }],
])('%s is no cursor', (_, stored) => {
	const { context, warnings } = triggerWith(stored);
	expect(readPolling(context)).toEqual({});
	expect(warnings).toHaveLength(1);
});

describe('a bookmark more than two days ahead would hide all that happens until then', () => {
	/** Gives the cursor that is read where these of its parts are so far ahead. */
	const readAhead = (aheadSeconds: number, startFrom?: number) => {
		const ahead = { sinceAt: now + aheadSeconds, timedKeys: '', untimedKeys: '' };
		const stored = { cursor: { ...cursor, lists: { '/events': ahead } } };
		return readPolling(triggerWith(stored).context, startFrom).cursor;
	};

	test('and is none', () => {
		expect(readAhead(2 * 86_400 + 1)).toEqual({ ...cursor, lists: {} });
	});

	test('but not where our clock is known to be as far behind', () => {
		const ahead = { sinceAt: now + 5 * 86_400, timedKeys: '', untimedKeys: '' };
		const stored = {
			cursor: { ...cursor, lists: { '/events': ahead } },
			clockAheadSeconds: -4 * 86_400,
		};
		expect(readPolling(triggerWith(stored).context).cursor?.lists).toEqual({ '/events': ahead });
	});

	test('but not where it is nearer', () => {
		expect(readAhead(2 * 86_400)?.lists['/events']?.sinceAt).toBe(now + 2 * 86_400);
	});

	test('and neither where the Start From is as far ahead', () => {
		expect(readAhead(9 * 86_400, now + 7 * 86_400)?.lists['/events']?.sinceAt).toBe(
			now + 9 * 86_400,
		);
	});

	test.each(['startedAt', 'polledAt'])('and begins everything anew as %s', (name) => {
		const stored = { cursor: { ...cursor, [name]: now + 2 * 86_400 + 1 } };
		expect(readPolling(triggerWith(stored).context)).toEqual({});
	});
});

test.each(['url', 'ids', 'madeAt', 'seenAt', 'owner'])(
	'a subscription without %s is none, and the rest stays',
	(name) => {
		const { subscription, ...rest } = deliveries;
		const { context } = triggerWith({ ...rest, subscription: { ...subscription, [name]: null } });
		expect(readDeliveries(context)).toEqual(rest);
	},
);

test('a subscription stays known where only the gap behind it has another shape', () => {
	const { missed, ...subscription } = deliveries.subscription;
	const { beganAtMs } = missed;
	const none = { ...subscription, missed: { beganAtMs: {}, endedAtMs: now * 1_000 } };
	expect(readDeliveries(triggerWith({ subscription: none }).context)).toEqual({ subscription });
	const broken = { ...subscription, missed: { beganAtMs, cursor: { startedAt: 1 } } };
	const read = readDeliveries(triggerWith({ subscription: broken }).context);
	expect(read).toEqual({ subscription: { ...subscription, missed: { beganAtMs } } });
});

test.each<[string, unknown, (context: Context) => object]>([
	['a polling trigger', polling, readPolling],
	['a webhook trigger', deliveries, readDeliveries],
])('whatever part of %s has another shape, what is read of it is whole', (_, whole, read) => {
	const wrong: string[] = [];
	for (const replaced of eachPart(whole)) {
		const all = JSON.parse(replaced.stored) as Record<string, unknown>;
		const fitting = read(triggerWith(all['node:Platform']).context);
		const again = triggerWith(fitting);
		expect(read(again.context)).toEqual(fitting);
		if (again.warnings.length > 0) wrong.push(`${titleOf(replaced)}: ${again.warnings.join(' ')}`);
	}
	expect(wrong).toEqual([]);
});

test('deliveries write over what has another shape', () => {
	const { context } = triggerWith({ ...deliveries, seen: [7], arrived: null });
	storeDeliveries(context, historyOf(context));
	const again = triggerWith(context.getWorkflowStaticData('node'));
	expect(readDeliveries(again.context)).toEqual({ ...deliveries, seen: undefined, arrived: {} });
	expect(again.warnings).toEqual([]);
});

test('deliveries write only what changed', () => {
	const written: string[] = [];
	const stored = new Proxy(structuredClone(deliveries), {
		set: (target, name, value) =>
			written.push(String(name)) > 0 && Reflect.set(target, name, value),
	});
	const { context } = triggerWith(stored);
	const history = historyOf(context);
	storeDeliveries(context, history);
	expect(written).toEqual([]);
	history.remember(['another-key']);
	storeDeliveries(context, history);
	expect(written).toEqual(['seen']);
});

test('what the process knows of a trigger is forgotten when nobody uses it for longer than a month', () => {
	const clock = jest.mocked(Date.now).mockReturnValue(0);
	const of = (workflow: string) => historyOf(triggerWith({ seen: 'storedkey' }, workflow).context);
	const [used, unused] = [of('used'), of('unused')];
	clock.mockReturnValue(31 * dayMs);
	expect(of('used')).toBe(used);
	clock.mockReturnValue(41 * dayMs);
	expect(of('used')).toBe(used);
	expect(of('unused')).not.toBe(unused);
});
