import { seenKey } from '../../../nodes/EventPlatform/core/events/delivery';
import type { ListedEvent } from '../../../nodes/EventPlatform/core/events/eventTypes';
import { findTimedNews } from '../../../nodes/EventPlatform/core/polling/news';

const now = 1_800_000_000;
const sinceAt = now - 3_600;

/** An event that happened at that time. */
function at(time: number, id = 'r'): ListedEvent {
	const record = { type: 'sessions', id, attributes: {}, relationships: {} };
	return { eventType: 'session.created', record, at: time, isUntimed: false };
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
