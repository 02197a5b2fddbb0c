import { subtitle } from '../../nodes/EventPlatform/trigger/pollingCost';
import { seededId } from '../../sandbox/seed/ids';
import { PollingHost, SimulatedTime } from '../support/polling';
import { random } from '../support/random';
import { personOf, sandboxForTests, upcomingSession } from '../support/sandbox';

const people = 2_000;
const sessions = [upcomingSession, seededId('session', 2)];
const time = new SimulatedTime();

test.each([
	[5, 900],
	[15, 330],
])(
	'2,000 people who register in a day start 2,000 runs, polled every %i minutes, with at most %i requests, through restarts and kills',
	async (minutes, mostRequests) => {
		// Said so, so that the pace does not have to find it out.
		const sandbox = await sandboxForTests({ rate: 2_000 });
		const pollTimes = { item: [{ mode: 'everyX', unit: 'minutes', value: minutes }] };
		const host = new PollingHost(sandbox, { pollTimes });
		const draw = random(minutes);
		const polls = (24 * 60) / minutes;
		// More by day than by night.
		const arrivals = Array.from({ length: people }, () => (polls * (draw() + draw())) / 2);
		const counts = { polls: 1, restarts: 0, kills: 0 };

		await host.activate();
		for (let poll = 0; poll < polls; poll++) {
			for (const [person, arrival] of arrivals.entries()) {
				if (Math.floor(arrival) !== poll) continue;
				const path = `/sessions/${sessions[person % sessions.length]}/people`;
				await sandbox.api.post(path, personOf(`person-${person}@example.org`));
			}
			time.pass(minutes);
			host.killAfter = draw() < 0.1 ? Math.floor(draw() * 8) : Infinity;
			counts.polls++;
			const isKilled = await host.poll().then(
				() => false,
				() => true,
			);
			const isRestarted = isKilled || draw() < 0.1;
			if (isKilled) counts.kills++;
			if (!isRestarted) continue;
			counts.polls++;
			counts.restarts++;
			await host.restart();
		}

		expect(host.items.map(({ email }) => email).sort()).toEqual(
			arrivals.map((_, person) => `person-${person}@example.org`).sort(),
		);
		expect(host.runs).toHaveLength(people);
		expect(counts.kills).toBeGreaterThan(2);
		expect(counts.restarts).toBeGreaterThan(counts.kills);

		const asked = (await sandbox.requests()).filter(({ method }) => method === 'GET');
		const checks = asked.filter(({ path }) => path === '/v1/sessions');
		const announced = /^([\d,]+) requests a month/.exec(String(host.evaluate(subtitle)))?.[1] ?? '';
		expect(Number(announced.replace(',', '')) / 30).toBe(polls);
		expect(checks).toHaveLength(counts.polls);
		expect(asked.length).toBeLessThanOrEqual(mostRequests);
	},
	180_000,
);
