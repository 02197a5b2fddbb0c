import type { Filters } from '../../../nodes/EventPlatform/core/events/filters';
import {
	compareHappened,
	compareTimes,
	eventsIn,
	findTimedNews,
	listDelivered,
} from '../../../nodes/EventPlatform/core/polling/round';
import type { DeliveredRecord } from '../../../nodes/EventPlatform/core/records/record';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { fakePlatform } from '../../support/platform/fakePlatform';
import { noFilters } from '../../support/runs/filters';
import { now, roundWith } from './pollRound';
import { seenKey } from '../../../nodes/EventPlatform/core/events/delivery';
import type { ListedEvent } from '../../../nodes/EventPlatform/core/events/eventTypes';

function recordOf(type: string, attributes: JsonObject): DeliveredRecord {
	return { type, id: 'r', attributes, relationships: {} };
}

describe('the events that a list shows', () => {
	const session = recordOf('sessions', {
		created_at: now - 9,
		started_at: now - 5,
		name: 'Tour',
		event_title: 'Product',
	});
	const event = recordOf('events', { created_at: now - 9, title: 'Product' });
	const person = recordOf('people', { registrant_detail: { session_id: 's', created_at: now } });

	function typesIn(
		eventTypes: string[],
		record: DeliveredRecord,
		filters: Partial<Filters> = {},
		ofSession?: JsonObject,
	): string[] {
		const { round } = roundWith({ search: { eventTypes, filters: { ...noFilters, ...filters } } });
		return eventsIn(round, record.type, [record], ofSession).map(({ eventType }) => eventType);
	}

	test.each<[string, string[], DeliveredRecord, Partial<Filters>]>([
		['have not happened', ['session.ended'], session, {}],
		['are of records of another type', ['event.created'], session, {}],
		['were not asked for', [], session, {}],
		['are outside the filter', ['session.created'], session, { sessionId: 'other' }],
		['have another title', ['session.created'], session, { eventTitleContains: 'dinner' }],
		['are events with another title', ['event.created'], event, { eventTitleContains: 'tour' }],
		[
			'are of people, and have no title',
			['people.registered'],
			person,
			{ eventTitleContains: 'x' },
		],
	])('leave out those that %s', (_, eventTypes, record, filters) => {
		expect(typesIn(eventTypes, record, filters)).toEqual([]);
	});

	test.each<[string, string[], DeliveredRecord, Partial<Filters>]>([
		['have happened', ['session.created', 'session.started'], session, {}],
		['are within the filter', ['session.created'], session, { sessionId: 'r' }],
		['have the title', ['session.created'], session, { eventTitleContains: 'PROD' }],
		['are events with the title', ['event.created'], event, { eventTitleContains: 'prod' }],
	])('are all that %s', (_, eventTypes, record, filters) => {
		expect(typesIn(eventTypes, record, filters)).toEqual(eventTypes);
	});

	test('have the title of their session where they are of people', () => {
		const filters = { eventTitleContains: 'product' };
		const types = ['people.registered'];
		expect(typesIn(types, person, filters, { event_title: 'Product' })).toEqual(types);
	});

	test('say when they happened, whether that tells that they are new, and in which session', () => {
		const { round } = roundWith({ search: { eventTypes: ['people.attended'] } });
		const attendee = recordOf('people', { registrant_detail: { session_id: 's', attended: true } });
		const ofSession = { name: 'Tour', event_title: 'Product', ended_at: now - 3 };
		expect(eventsIn(round, 'people', [attendee], ofSession)).toMatchObject([
			{
				eventType: 'people.attended',
				record: attendee,
				happenedAtSeconds: now - 3,
				attendance: 'came',
				isUntimed: true,
				sessionFacts: { event_title: 'Product' },
			},
		]);
	});
});

test('records without an ID are left out of a list', async () => {
	const attributes = { name: 'Tour' };
	const { ask } = fakePlatform(() => ({ data: [{ attributes }, { id: 7, attributes }] }));
	const records = await listDelivered(ask, '/sessions', {});
	expect(records.map(({ id }) => id)).toEqual(['7']);
});

describe('news in a list whose records have times', () => {
	const now = 1_800_000_000;
	const sinceAt = now - 3_600;

	/** An event that happened at that time. */
	function at(time: number, id = 'r'): ListedEvent {
		const record = { type: 'sessions', id, attributes: {}, relationships: {} };
		return { eventType: 'session.created', record, happenedAtSeconds: time, isUntimed: false };
	}

	/** The keys that a bookmark remembers of these events. */
	const keysOf = (...events: ListedEvent[]) => events.map(seenKey).join('');

	describe('an event starts', () => {
		const bookmark = { sinceAt, seen: keysOf(at(sinceAt, 'seen')) };
		const isDelivered = ({ record }: ListedEvent) => record.id === 'delivered';

		test.each<[string, ListedEvent, boolean]>([
			['no run where it happened before the bookmark', at(sinceAt - 1), false],
			['no second run', at(sinceAt + 9, 'seen'), false],
			['no run where a delivery has started it', at(now, 'delivered'), false],
			['a run where it happened at the bookmark', at(sinceAt), true],
			['a run where it happened after the bookmark', at(sinceAt + 1), true],
		])('%s', (_, event, isNews) => {
			const polled = { listed: [event], news: isNews ? [event] : [] };
			expect(findTimedNews([event], bookmark, isDelivered)).toEqual(polled);
		});

		test('a run where there are no deliveries to compare it with', () => {
			expect(findTimedNews([at(now, 'delivered')], bookmark).news).toHaveLength(1);
		});
	});

	test('whatever was never done comes before what was done longest ago', () => {
		const lists: Array<{ at?: number }> = [{ at: now }, {}, { at: 0 }, { at: now - 9 }, {}];
		lists.sort((first, second) => compareTimes(first.at, second.at));
		expect(lists).toEqual([{}, {}, { at: 0 }, { at: now - 9 }, { at: now }]);
	});

	test('an event whose time nobody knows is no news by its time, and counts as the oldest', () => {
		const unknown: ListedEvent = { ...at(now), happenedAtSeconds: undefined };
		expect(findTimedNews([unknown], { sinceAt: 0, seen: '' }).news).toEqual([]);
		expect([at(now), unknown, at(0)].sort(compareHappened)).toEqual([unknown, at(0), at(now)]);
	});
});
