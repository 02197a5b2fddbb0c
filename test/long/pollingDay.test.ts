import { PollingHost, SimulatedTime } from '../support/n8n/pollingHost';
import { createDraws } from '../../sandbox/world/draws';
import { sandboxForTests } from '../support/platform/sandbox';
import { otherSession, upcomingSession } from '../support/platform/seededIds';

const people = 300;
const sessions = [upcomingSession, otherSession];
const time = new SimulatedTime();

test.each([false, true])(
	'300 people who register in a day are told of once each, through restarts and kills, with at most 300 requests (durable cursors: %s)',
	async (hasDurableCursors) => {
		// Said so, so that the pace does not have to find it out.
		const sandbox = await sandboxForTests({ rate: 2_000 });
		const host = new PollingHost(sandbox);
		host.hasDurableCursors = hasDurableCursors;
		const draw = createDraws(15);
		const polls = 96;
		// More by day than by night.
		const arrivals = Array.from({ length: people }, () => (polls * (draw() + draw())) / 2);
		const counts = { polls: 1, restarts: 0, kills: 0 };

		await host.activate();
		for (let poll = 0; poll < polls; poll++) {
			for (const [person, arrival] of arrivals.entries()) {
				if (Math.floor(arrival) !== poll) continue;
				await sandbox.register(`person-${person}@example.org`, {}, sessions[person % 2]);
			}
			time.passMinutes(15);
			host.isKilled = draw() < 0.1;
			counts.polls++;
			const isKilled = await host.poll().then(
				() => false,
				() => true,
			);
			host.isKilled = false;
			if (isKilled) counts.kills++;
			if (!isKilled && draw() < 0.9) continue;
			counts.polls++;
			counts.restarts++;
			await host.restart();
		}

		expect(host.items.map(({ email }) => email).sort()).toEqual(
			arrivals.map((_, person) => `person-${person}@example.org`).sort(),
		);
		expect(host.runs.length).toBeLessThan(counts.polls);
		expect(counts.kills).toBeGreaterThan(2);
		expect(counts.restarts).toBeGreaterThan(counts.kills);
		const asked = (await sandbox.requests()).filter(({ method }) => method === 'GET');
		expect(asked.filter(({ path }) => path === '/v1/sessions')).toHaveLength(counts.polls);
		expect(asked.length).toBeLessThanOrEqual(300);
	},
);
