import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { daySeconds, hourSeconds, minuteSeconds } from '../../support/time/units';
import { PolledPlatform, quarterSeconds, start } from './polledPlatform';

/*
 * A token lacks the scope for one kind of list, or a firewall refuses an address. Both say that others of the kind may be refused as well, and nothing of any
 * other request.
 */

const refusals: Cause[] = ['missing_scope', 'not_from_api'];
const ended = Array.from({ length: 12 }, (_, nth) => `ended-${nth}`);
const recordingsOf = (id: string) => `/sessions/${id}/recordings`;

/** A session to come, and sessions that have just ended, whose recordings a trigger looks for beside registrations. */
async function polled(): Promise<PolledPlatform> {
	const eventTypes = ['people.registered', 'recording.ready', 'event.created'];
	const platform = new PolledPlatform({ eventTypes });
	platform.plan('open', start + 9 * daySeconds);
	for (const id of ended) platform.plan(id, start - hourSeconds, { status: 'live' });
	await platform.activate();
	platform.pass(minuteSeconds);
	const times = { status: 'past', started_at: start - hourSeconds, ended_at: platform.nowSeconds };
	for (const id of ended) platform.plan(id, start - hourSeconds, times);
	return platform;
}

describe.each(refusals)('a kind of list that is refused (%s)', (cause) => {
	test('keeps out no registration, no event, and costs one request in each poll', async () => {
		const platform = await polled();
		platform.change({ cause, failing: new Set(ended.map(recordingsOf)) });
		for (let poll = 0; poll < 24; poll++) {
			const person = platform.add({ session: 'open' });
			const created_at = platform.nowSeconds;
			platform.events.push({ type: 'events', id: `e${poll}`, attributes: { created_at } });
			const told = await platform.pollEvery(quarterSeconds);
			expect(told).toEqual([`created e${poll}`, `registered ${person}`]);
			const refused = platform.requests.filter((path) => platform.failing.has(path));
			expect(refused.length).toBeLessThanOrEqual(1);
			expect(platform.failures).toHaveLength(refused.length);
		}
		platform.recordings = [
			{ type: 'recordings', id: 'r', attributes: { created_at: platform.nowSeconds } },
		];
		platform.failing.clear();
		const told = await platform.pollEvery(hourSeconds);
		expect(told).toEqual(ended.map(() => 'ready r'));
	});

	test('at one address keeps out no other list of the kind', async () => {
		const platform = await polled();
		const [first = '', ...others] = ended;
		platform.change({ cause, failing: new Set([recordingsOf(first)]) });
		platform.recordings = [{ type: 'recordings', id: 'r', attributes: { created_at: start } }];
		expect(await platform.pollEvery(minuteSeconds, 2)).toEqual(others.map(() => 'ready r'));
	});
});

test.each(refusals)(
	'a platform that refuses everything (%s) is asked once for each kind',
	async (cause) => {
		const platform = await polled();
		const paths = ['/sessions', '/events', '/sessions/open/people', ...ended.map(recordingsOf)];
		platform.change({ cause, failing: new Set(paths) });
		await platform.pollEvery(quarterSeconds);
		expect(platform.requests).toEqual(['/sessions', '/events']);
		platform.requestsUntil = [];
		await platform.pollUntil(platform.nowSeconds + hourSeconds);
		const events = platform.requestsUntil.filter((path) => path === '/events');
		expect(events.length).toBeLessThanOrEqual(6);
	},
);
