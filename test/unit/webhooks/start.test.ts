import { DeliveryHistory } from '../../../nodes/EventPlatform/core/webhooks/deliveryHistory';
import { worthOf } from '../../../nodes/EventPlatform/core/webhooks/decision';
import { decideStart } from '../../../nodes/EventPlatform/core/webhooks/start';
import type { BelievedEvent } from '../../../nodes/EventPlatform/core/webhooks/arrival';
import type { TriggerSettings } from '../../../nodes/EventPlatform/core/webhooks/trigger';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { noFilters } from '../../support/runs/filters';

const now = Date.UTC(2026, 10, 21, 12);
const sentKey = 'key-as-it-was-sent';
const confirmedKey = 'key-as-it-was-confirmed';
const event: BelievedEvent = {
	kind: 'believed',
	delivery: {
		eventType: 'job.ended',
		record: { type: 'jobs', id: 'job-7', attributes: { status: 'ended' }, relationships: {} },
	},
	isConfirmed: true,
	keys: [sentKey, confirmedKey],
};
const item = { id: 'job-7' };

interface Circumstances {
	/** The keys of events that were received before. */
	seen?: string[];
	needsDeduplication?: boolean;
	items?: JsonObject[];
}

/** Decides about the event; its confirmed record has another key than the one that was sent. */
function decide({ seen = [], needsDeduplication = true, items = [item] }: Circumstances = {}) {
	const history = new DeliveryHistory({}, () => now);
	history.remember(seen);
	const settings: TriggerSettings = {
		eventTypes: ['job.ended'],
		verify: 'auto',
		filters: noFilters,
		output: 'job',
		needsDeduplication,
		confirmationsPerMinute: 60,
	};
	const connect = () => Promise.reject(new Error('Nobody is asked'));
	const decision = decideStart(event, items, now, { settings, history, connect });
	const end = (isCreated: boolean) =>
		decision.kind === 'start' && history.settle(decision, isCreated);
	const isRemembered = () => [history.has(sentKey), history.has(confirmedKey)];
	return { decision, end, history, isRemembered };
}

test.each([
	['as it was sent', sentKey],
	['as a variation', confirmedKey],
])('an event that was received before starts no second run, %s', (_, seen) => {
	expect(decide({ seen: [seen] }).decision.kind).toBe('ignore');
});

test('a repetition counts as a forgery, because each may cost a request', () => {
	expect(worthOf(decide({ seen: [confirmedKey] }).decision)).toBe('forged');
});

test('a repetition is remembered by both keys, so that the next one costs nothing', () => {
	expect(decide({ seen: [confirmedKey] }).isRemembered()).toEqual([true, true]);
});

test('an event that has no items starts no run', () => {
	const { decision } = decide({ items: [] });
	expect([decision.kind, worthOf(decision)]).toEqual(['ignore', 'genuine']);
});

test('an event that has no items is remembered', () => {
	expect(decide({ items: [] }).isRemembered()).toEqual([true, true]);
});

test('an event starts a run with its items', () => {
	expect(decide().decision).toMatchObject({ kind: 'start', items: [item] });
});

test('an event is remembered before its run exists, so that another attempt starts no second one', () => {
	expect(decide().isRemembered()).toEqual([true, true]);
});

test('an event whose run could not be created is forgotten, so that the next attempt starts it', () => {
	const { end, isRemembered } = decide();
	end(false);
	expect(isRemembered()).toEqual([false, false]);
});

test.each([
	['when its run was created', true, { 'job.ended': now }],
	['not when its run could not be created', false, {}],
])('an event has arrived %s', (_, isCreated, arrived) => {
	const { end, history } = decide();
	end(isCreated);
	expect(history.arrived).toEqual(arrived);
});

test('an event starts a run each time where people want that', () => {
	const circumstances = { seen: [sentKey, confirmedKey], needsDeduplication: false };
	expect(decide(circumstances).decision.kind).toBe('start');
});

test('an event is not remembered where people want a run each time', () => {
	expect(decide({ needsDeduplication: false }).isRemembered()).toEqual([false, false]);
});
