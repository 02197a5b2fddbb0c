import { DeliveryHistory } from '../../../nodes/EventPlatform/core/webhooks/history';

/** When the platform tries, in minutes: at once, then 0.5, 1, 2.5, 6 and 12 later each. */
const attempts = [0, 0.5, 1.5, 4, 10, 22];

/** Whether a delivery that comes at this time is one of its last two attempts. */
function attempting() {
	const history = new DeliveryHistory();
	return (minutes: number, key = 'key') => {
		const isNearlyLast = history.isNearlyLast(key, minutes * 60_000);
		history.noteFailure(key, minutes * 60_000);
		return isNearlyLast;
	};
}

test('the last attempts are the last two of those that the platform makes', () => {
	const isNearlyLast = attempting();
	expect(attempts.filter((minutes) => isNearlyLast(minutes))).toEqual([10, 22]);
});

test('a flood of unknown keys pushes out the oldest attempts and takes no more room', () => {
	const isNearlyLast = attempting();
	for (let n = 0; n <= 1_000; n++) isNearlyLast(0, `key-${n}`);
	expect([isNearlyLast(15, 'key-0'), isNearlyLast(15, 'key-1000')]).toEqual([false, true]);
});

/** Makes a key that is as long as a stored one. */
const key = (name: string | number) => String(name).padStart(8, '0');
const stored = (...names: Array<string | number>) => names.map(key).join('');
/** Gives the keys that are stored. */
function latest(history: DeliveryHistory): string {
	return history.toStored().seen ?? '';
}

test('the latest 10,000 keys are known, and the latest of them stored', () => {
	const keys = new DeliveryHistory();
	for (let n = 0; n <= 10_000; n++) keys.remember([key(n)]);
	keys.remember([key(2)]);
	expect([0, 1, 10_000].map((n) => keys.has(key(n)))).toEqual([false, true, true]);
	expect(latest(keys)).toHaveLength(5_000 * 8);
	expect(latest(keys).endsWith(stored(9_999, 10_000, 2))).toBe(true);
});

test('what is stored is known after a restart, and an event_key is known by its beginning', () => {
	const keys = new DeliveryHistory();
	keys.merge({ seen: stored('a', 'b') });
	expect(keys.has(`${key('a')}and-more`)).toBe(true);
	for (const broken of [undefined, null, 7, ['a'], {}, 'short'])
		keys.merge({ seen: broken as string });
	expect(latest(keys)).toBe(stored('a', 'b'));
});

/** An event with this key that starts a run. */
const starting = (name: string) => ({
	eventType: 'job.ended',
	eventKeys: [key(name)],
	happenedAtMs: 5,
});

describe('an event whose run n8n is about to create', () => {
	test('is known and not stored', () => {
		const history = new DeliveryHistory();
		history.begin([key('a')]);
		expect([history.has(key('a')), latest(history)]).toEqual([true, '']);
	});

	test('is stored when its run has begun', () => {
		const history = new DeliveryHistory();
		history.begin([key('a')]);
		history.settle(starting('a'), true);
		expect(latest(history)).toBe(stored('a'));
	});
});

test('what two processes stored is put together', () => {
	const history = new DeliveryHistory();
	history.merge({ seen: stored('a'), arrived: { first: 5, second: 5 } });
	history.merge({ seen: stored('b'), arrived: { first: 4, second: 6 } });
	expect(history.toStored()).toEqual({
		seen: stored('a', 'b'),
		arrived: { first: 5, second: 6 },
	});
});

test('what is to be stored is a copy, which does not change with what is known', () => {
	const history = new DeliveryHistory();
	history.settle(starting('a'), true);
	const { arrived } = history.toStored();
	history.settle({ ...starting('b'), happenedAtMs: 6 }, true);
	expect(arrived).toEqual({ 'job.ended': 5 });
});

test('the newer one of two looks at the subscriptions is stored, whatever n8n has stored', () => {
	const history = new DeliveryHistory();
	const after = (seenAt: number) => {
		history.merge({ subscription: { url: 'u', ids: {}, madeAt: 1, owner: 'o', seenAt } });
		return history.toStored().subscription?.seenAt;
	};
	const looks = [after(7), after(5), after(9)];
	history.merge({});
	expect([...looks, history.toStored().subscription?.seenAt]).toEqual([7, 7, 9, 9]);
});

test('the latest event of a type tells until when its webhook worked, whatever time is still to come', () => {
	const history = new DeliveryHistory();
	const happenedAtMs = Date.now() - 5;
	history.settle({ ...starting('a'), happenedAtMs }, true);
	history.settle({ ...starting('b'), happenedAtMs: 1 }, true);
	history.settle({ ...starting('c'), happenedAtMs: undefined }, true);
	expect(history.subscriptionMemory.arrived).toEqual({ 'job.ended': happenedAtMs });
	history.settle({ ...starting('d'), happenedAtMs: Date.now() + 3_600_000 }, true);
	expect(history.subscriptionMemory.arrived['job.ended']).toBeLessThanOrEqual(Date.now());
});

test('after a start of the main process a gap begins at what webhook processes have delivered, because no check is stored', () => {
	const dayMs = 86_400_000;
	const startedAt = Date.now() - 30 * dayMs;
	const subscription = {
		url: 'u',
		ids: { 'job.ended': 'a' },
		madeAt: startedAt - dayMs,
		seenAt: startedAt,
		owner: 'o',
	};
	const webhookProcess = new DeliveryHistory();
	webhookProcess.merge({ subscription });
	const happenedAtMs = Date.now() - 5;
	webhookProcess.settle({ ...starting('a'), happenedAtMs }, true);
	const mainProcess = new DeliveryHistory();
	mainProcess.merge(webhookProcess.toStored());
	mainProcess.subscriptionMemory.noteMissed('job.ended');
	const { missed } = mainProcess.subscriptionMemory.ongoing ?? {};
	expect(missed?.beganAtMs['job.ended']).toBeGreaterThan(happenedAtMs - 3_600_000);
});
