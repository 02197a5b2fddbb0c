import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { hourSeconds, minuteSeconds } from '../../support/time/units';
import { PolledPlatform, start } from './polledPlatform';

/*
 * A platform that sends sessions without their events, and a trigger with a filter of titles, which reads each event for its title. The
 * event of one session cannot be read.
 */

const ofUnread = 'event-unread';
const pathOfUnread = `/events/${ofUnread}`;
const events = [ofUnread, 'event-read'].map((id) => titled(id, 'Product Tour'));

function titled(id: string, title: string) {
	return { type: 'events', id, attributes: { title } };
}

async function activated(...others: string[]): Promise<PolledPlatform> {
	const eventTypes = ['session.starting', ...others];
	const filters = { eventTitleContains: 'tour' };
	const platform = new PolledPlatform({ eventTypes, filters, events });
	platform.plan('unread', start + 2 * hourSeconds, { event_id: ofUnread });
	platform.plan('read', start + 9 * hourSeconds, { event_id: 'event-read' });
	await platform.activate();
	return platform;
}

describe('an event that cannot be read', () => {
	test('is said, and costs no registration of another session', async () => {
		const platform = await activated('people.registered');
		await platform.pollEvery(30 * minuteSeconds);
		platform.add({ id: 'ada', session: 'read' });
		platform.failing.add(pathOfUnread);
		expect(await platform.pollEvery(31 * minuteSeconds)).toEqual([]);
		expect(platform.failures).toHaveLength(1);
		platform.failing.clear();
		const told = await platform.pollEvery(minuteSeconds);
		expect(told.sort()).toEqual(['registered ada', 'unread 60 min']);
	});

	test('keeps out no start of its own session, whose list was the first to show it', async () => {
		const platform = await activated();
		platform.plan('late', start + 1.75 * hourSeconds, { event_id: ofUnread });
		platform.failing.add(pathOfUnread);
		expect(await platform.pollEvery(61 * minuteSeconds)).toEqual([]);
		platform.failing.clear();
		const told = await platform.pollEvery(minuteSeconds);
		expect(told.sort()).toEqual(['late 60 min', 'unread 60 min']);
	});

	test('leaves out its own session, where the title turns out to be another one', async () => {
		const platform = await activated();
		platform.plan('late', start + 1.75 * hourSeconds, { event_id: ofUnread });
		platform.failing.add(pathOfUnread);
		await platform.pollEvery(61 * minuteSeconds);
		platform.change({
			failing: new Set(),
			events: [titled(ofUnread, 'Another'), titled('event-read', 'Product Tour')],
		});
		expect(await platform.pollEvery(minuteSeconds)).toEqual([]);
	});

	test('has its own session asked for only once, by the list that shows it', async () => {
		const filters = { eventTitleContains: 'tour' };
		const platform = new PolledPlatform({ eventTypes: ['session.changed'], filters, events });
		platform.plan('unread', start + 9 * hourSeconds, { event_id: ofUnread });
		await platform.activate();
		platform.failing.add(pathOfUnread);
		await platform.pollEvery(hourSeconds);
		expect(platform.requests).toEqual(['/sessions', pathOfUnread]);
	});
});

describe.each<Cause>(['missing_scope', 'not_from_api', 'unreachable', 'unauthorized'])(
	'events that cannot be read, each for a cause that others meet as well (%s)',
	(cause) => {
		/** The list shows many new sessions, each of an event of its own. */
		async function withMany(): Promise<PolledPlatform> {
			const platform = await activated();
			const ids = Array.from({ length: 30 }, (_, nth) => `event-${nth}`);
			platform.events.push(...ids.map((id) => titled(id, 'Product Tour')));
			for (const id of ids) platform.plan(`s-${id}`, start + 20 * hourSeconds, { event_id: id });
			const failing = [ofUnread, 'event-read', ...ids].map((id) => `/events/${id}`);
			platform.change({ cause, failing: new Set(failing) });
			return platform;
		}

		test('cost few requests in each hour', async () => {
			const platform = await withMany();
			await platform.pollUntil(start + hourSeconds - minuteSeconds);
			platform.requestsUntil = [];
			await platform.pollUntil(start + 8 * hourSeconds);
			const asked = platform.requestsUntil.filter((path) => path.startsWith('/events/'));
			// A list in each hour, and the start of one session, with eight at once.
			expect(asked.length).toBeLessThanOrEqual(8 * 8 + 12);
		});

		test('keep out no start once they can be read', async () => {
			const platform = await withMany();
			await platform.pollUntil(start + 8.5 * hourSeconds);
			platform.failing.clear();
			const told = await platform.pollUntil(start + 19.2 * hourSeconds);
			expect(new Set(told).size).toBe(30 + 1);
		});
	},
);
