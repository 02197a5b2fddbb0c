import {
	sessionFactsOf,
	withEventFacts,
} from '../../../nodes/EventPlatform/core/events/sessionFacts';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

const link = 'https://app.example.com/p/launch';
const launch = { id: 'e1', attributes: { title: 'Launch', registration_link: link } };
const nothing = {
	event_title: null,
	name: null,
	estimated_started_at: null,
	started_at: null,
	timezone: null,
	registration_link: null,
	estimated_duration: null,
};

function factsOf(attributes: JsonObject, event?: JsonObject) {
	const withFacts = withEventFacts({ session: { id: 's1', attributes }, event });
	return sessionFactsOf(withFacts.attributes as JsonObject);
}

test('a session tells its name, its start and its time zone, and of its event the title and the page', () => {
	const attributes = { name: 'Morning', started_at: 1_700_000_000, timezone: 'Europe/Paris' };
	expect(factsOf(attributes, launch)).toEqual({
		event_title: 'Launch',
		name: 'Morning',
		estimated_started_at: null,
		started_at: 1_700_000_000,
		timezone: 'Europe/Paris',
		registration_link: link,
		estimated_duration: null,
	});
});

test('a session that tells nothing has no facts', () => {
	expect(factsOf({})).toEqual(nothing);
});

test('an event without a title and a page tells none', () => {
	expect(factsOf({}, { id: 'e1', attributes: {} })).toEqual(nothing);
});

test('a title of its own is the title of a session, whatever its event says', () => {
	expect(factsOf({ event_title: 'Own' }, launch)).toMatchObject({ event_title: 'Own' });
});

test('a session without its event is as it was sent', () => {
	const session = { type: 'sessions', id: 's1', attributes: { event_id: 'e1' } };
	expect(withEventFacts({ session })).toBe(session);
});
