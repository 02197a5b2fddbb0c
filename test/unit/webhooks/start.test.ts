import { deliveryKey } from '../../../nodes/EventPlatform/core/events/delivery';
import type { Delivery, Filters } from '../../../nodes/EventPlatform/core/events/eventTypes';
import { DeliveryHistory } from '../../../nodes/EventPlatform/core/webhooks/deliveryHistory';
import { startRun, startRunOnce } from '../../../nodes/EventPlatform/core/webhooks/start';
import type { RecordReceiver } from '../../../nodes/EventPlatform/core/webhooks/trigger';
import { noFilters } from '../../support/runs/filters';

const now = Date.UTC(2026, 10, 21, 12);
const delivery: Delivery = {
	eventType: 'job.ended',
	record: { type: 'jobs', id: 'job-7', attributes: { status: 'ended' }, relationships: {} },
};
const key = deliveryKey({ ...delivery, record: { ...delivery.record, id: 'as-it-was-sent' } });
const confirmedKey = deliveryKey(delivery);

interface Circumstances {
	/** The keys of events that were received before. */
	seen?: string[];
	needsDeduplication?: boolean;
	filters?: Partial<Filters>;
}

function receiverWith({ seen = [], needsDeduplication = true, filters }: Circumstances) {
	const history = new DeliveryHistory({}, () => now);
	history.remember(seen);
	const receiver: RecordReceiver = {
		eventTypes: ['job.ended'],
		verify: 'auto',
		filters: { ...noFilters, ...filters },
		output: 'job',
		needsDeduplication,
		confirmationsPerMinute: 60,
		connect: () => Promise.reject(new Error('Nobody is asked')),
		history,
		proof: 'key',
		arrivedAt: now,
		delivery,
		key,
	};
	return { receiver, history };
}

/** Decides about the delivery; the record that was confirmed has another key than the one that was sent. */
async function decide(circumstances: Circumstances = {}) {
	const { receiver, history } = receiverWith(circumstances);
	const weighed = await startRunOnce({ delivery, isConfirmed: true }, receiver);
	const { decision } = weighed;
	const end = decision.kind === 'start' ? decision.onCreated : () => {};
	return { ...weighed, kind: decision.kind, end, history };
}

test.each([
	['as it was sent', key],
	['as a variation', confirmedKey],
])('an event that was received before starts no second run, %s', async (_, seen) => {
	expect((await decide({ seen: [seen] })).kind).toBe('ignore');
});

test('a repetition counts as a forgery, because each may cost a request', async () => {
	expect((await decide({ seen: [confirmedKey] })).worth).toBe('forged');
});

test('a repetition is remembered by both keys, so that the next one costs nothing', async () => {
	const { history } = await decide({ seen: [confirmedKey] });
	expect(history.has(key)).toBe(true);
});

test('an event that the filters leave out starts no run', async () => {
	expect((await decide({ filters: { jobIds: ['other'] } })).kind).toBe('ignore');
});

test('an event that the filters leave out is remembered', async () => {
	const { history } = await decide({ filters: { jobIds: ['other'] } });
	expect([history.has(key), history.has(confirmedKey)]).toEqual([true, true]);
});

test('an event starts a run with its item', async () => {
	const { decision, worth } = await decide();
	expect(decision).toMatchObject({ kind: 'start', items: [{ id: 'job-7' }] });
	expect(worth).toBe('genuine');
});

test('an event is remembered before its run exists, so that another attempt starts no second one', async () => {
	const { history } = await decide();
	expect([history.has(key), history.has(confirmedKey)]).toEqual([true, true]);
});

test('an event whose run could not be created is forgotten, so that the next attempt starts it', async () => {
	const { end, history } = await decide();
	end(false);
	expect([history.has(key), history.has(confirmedKey)]).toEqual([false, false]);
});

test.each([
	['when its run was created', true, { 'job.ended': now }],
	['not when its run could not be created', false, {}],
])('an event has arrived %s', async (_, isCreated, arrived) => {
	const { end, history } = await decide();
	end(isCreated);
	expect(history.arrived).toEqual(arrived);
});

test('an event starts a run each time where people want that', async () => {
	const circumstances = { seen: [key, confirmedKey], needsDeduplication: false };
	expect((await decide(circumstances)).kind).toBe('start');
});

test('without items no run is started, and the event is remembered', () => {
	const { receiver, history } = receiverWith({});
	expect(startRun('job.ended', [], [key], receiver).kind).toBe('ignore');
	expect(history.has(key)).toBe(true);
});
