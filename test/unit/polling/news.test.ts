import { seenKey } from '../../../nodes/EventPlatform/core/events/delivery';
import type { ListedEvent } from '../../../nodes/EventPlatform/core/events/eventTypes';
import { findTimedNews, moveBookmark } from '../../../nodes/EventPlatform/core/polling/news';

const now = 1_800_000_000;
/** Records may be listed so late. */
const late = 600;
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
		const reading = { listed: [event], news: isNews ? [event] : [] };
		expect(findTimedNews([event], bookmark, isDelivered)).toEqual(reading);
	});

	test('a run where there are no deliveries to compare it with', () => {
		expect(findTimedNews([at(now, 'delivered')], bookmark).news).toHaveLength(1);
	});
});

test.each<[string, ListedEvent[], Partial<Parameters<typeof moveBookmark>[2]>, number]>([
	['moves by no time to come', [at(now + 1)], {}, sinceAt],
	['moves to ten minutes before the latest event', [at(now - 100), at(now - 900)], {}, now - 700],
	['moves by an event of this moment', [at(now)], {}, now - late],
	[
		'moves no further than the list is complete',
		[at(now)],
		{ notBeyondAt: now - 1_000 },
		now - 1_600,
	],
	['never moves back', [at(sinceAt + late - 1)], {}, sinceAt],
	['stays where nothing was listed', [], {}, sinceAt],
])('a bookmark %s', (_, started, reach, expected) => {
	expect(moveBookmark({ sinceAt, seen: '' }, started, { now, ...reach }).sinceAt).toBe(expected);
});

describe('the keys of a bookmark', () => {
	const former = at(sinceAt, 'former');
	const bookmark = { sinceAt, seen: keysOf(former) };
	const move = (started: ListedEvent[], listedSinceAt?: number) =>
		moveBookmark(bookmark, started, { now, listedSinceAt }).seen;

	test('are those of the events that may be listed again', () => {
		const [early, edge, last] = [at(now - late - 1, 'e'), at(now - late, 'f'), at(now, 'l')];
		expect(move([early, edge, last])).toBe(keysOf(edge, last));
	});

	test('stay as long as the bookmark stays', () => {
		const event = at(sinceAt, 'e');
		expect(move([event])).toBe(keysOf(former, event));
	});

	test('stay where not all records since then were listed', () => {
		expect(move([at(now, 'l')], now - late + 1)).toBe(keysOf(former, at(now, 'l')));
	});

	test('go where all records since then were listed', () => {
		expect(move([at(now, 'l')], now - late)).toBe(keysOf(at(now, 'l')));
	});

	test('stand once each', () => {
		expect(move([former])).toBe(keysOf(former));
	});
});
