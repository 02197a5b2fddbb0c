import { seenKey } from '../../../nodes/EventPlatform/core/events/delivery';
import type { ListedEvent } from '../../../nodes/EventPlatform/core/events/eventTypes';
import {
	compareHappened,
	compareTimes,
	findTimedNews,
} from '../../../nodes/EventPlatform/core/polling/news';

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
