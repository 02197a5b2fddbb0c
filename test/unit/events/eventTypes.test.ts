import {
	hasHappenedSince,
	defaultEventTypes,
	eventTypeTable,
	eventTypeOf,
} from '../../../nodes/EventPlatform/core/events/eventTypes';
import type { Json } from '../../../nodes/EventPlatform/core/values/json';
import { webhookEventTypes } from '../../../nodes/EventPlatform/fields/eventTypeFields';

test('the menu has every event type that webhooks tell of, and begins with what most people want', () => {
	expect(webhookEventTypes.map(({ value }) => value)).toEqual([
		'people.registered',
		'people.attended',
		'people.not_attended',
		'people.watched_replay',
		'session.created',
		'session.started',
		'session.ended',
		'job.ended',
		'event.created',
		'event.published',
	]);
});

test.each(Object.keys(eventTypeTable))('%s is named after the type of its records', (eventType) => {
	expect(eventTypeOf(eventType).type).toMatch(
		new RegExp(`^${eventType.split('.')[0]}(?:_message)?s?$`),
	);
	expect(eventTypeOf(eventType).notChecked).toBeUndefined();
});

test.each([
	['session.canceled', 'sessions'],
	['poll.closed', undefined],
	['toString.called', undefined],
	['', undefined],
])('of the unknown eventType "%s" no more is said than what is checked', (eventType, type) => {
	expect(eventTypeOf(eventType).type).toBe(type);
	expect(eventTypeOf(eventType).notChecked).toContain(`not that "${eventType}" happened`);
});

test('what a trigger listens to at first stays the same, because n8n saves no parameter that has its default', () => {
	expect(defaultEventTypes).toEqual({ webhook: 'job.ended', polling: 'people.registered' });
});

test.each<[string, number | undefined, boolean]>([
	['before that time', 99, false],
	['at that time', 100, true],
	['later', 101, true],
	['at a time that the platform does not tell', undefined, false],
])('an event that happened %s counts as new since then: %#', (_, happenedAtSeconds, isExpected) => {
	const record = { type: 'people', id: 'p', attributes: {}, relationships: {} };
	const event = { eventType: 'people.registered', record, happenedAtSeconds, isUntimed: true };
	expect(hasHappenedSince(event, 100)).toBe(isExpected);
});

test.each([
	['true', true, true],
	['false', false, false],
	['null', null, false],
])(
	'a person whose attendance is %s is told of by the event that says so, and by no other',
	(_, attended, hasCome) => {
		const attributes = { registrant_detail: { attended } };
		const record = { type: 'people', id: 'p', attributes, relationships: {} };
		const session = { ended_at: 1_795_000_000 };
		const tells = (eventType: string) => {
			const { isConfirmedBy, happenedAtSeconds } = eventTypeOf(eventType);
			return [isConfirmedBy?.(record), happenedAtSeconds?.(record, session) !== undefined];
		};
		expect(tells('people.attended')).toEqual([hasCome, hasCome]);
		expect(tells('people.not_attended')).toEqual([!hasCome, !hasCome]);
	},
);

test.each<[Json, boolean]>([
	[true, true],
	[false, false],
	[0, false],
	[null, false],
])(
	'a replay that was watched as the platform says with %j confirms the event: %s',
	(flag, isExpected) => {
		const attributes = { registrant_detail: { has_viewed_replay: flag } };
		const record = { type: 'people', id: 'p', attributes, relationships: {} };
		expect(eventTypeOf('people.watched_replay').isConfirmedBy?.(record)).toBe(isExpected);
	},
);
