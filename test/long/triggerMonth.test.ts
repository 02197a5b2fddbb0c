import { FactsMemory } from '../../nodes/EventPlatform/core/webhooks/factsMemory';
import { DeliveryHistory } from '../../nodes/EventPlatform/core/webhooks/history';
import { receive } from '../../nodes/EventPlatform/core/webhooks/receive';
import type { Trigger } from '../../nodes/EventPlatform/core/webhooks/webhookTrigger';
import { createDraws } from '../../sandbox/world/draws';
import { fakePlatform } from '../support/platform/fakePlatform';
import { noFilters } from '../support/runs/filters';
import { dayMs } from '../support/time/units';

const month = { days: 30, registrants: 10_000, sessions: 30, triggers: 5 };
const key = 'the-key-of-these-triggers';

/** A month of registrations at random moments, each delivered to every trigger of one token: the requests that they cost. */
async function requestsOfMonth(title: string): Promise<{ requests: number; runs: number }> {
	const draw = createDraws(7);
	let nowMs = Date.UTC(2026, 10, 1);
	const now = () => nowMs;
	const sleep = () => Promise.resolve();
	const { client, asked } = fakePlatform(({ path }) => ({
		data: { type: 'sessions', id: path.slice('/sessions/'.length), attributes: { event_id: 'e' } },
		included: [{ type: 'events', id: 'e', attributes: { title } }],
	}));
	const facts = new FactsMemory(now);
	const connect = () => Promise.resolve({ client, apiRoot: '/v1', clock: { now, sleep } });
	const factsMemory = () => Promise.resolve(facts);
	const triggers = Array.from({ length: month.triggers }, (): Trigger => {
		const settings: Trigger['settings'] = {
			eventTypes: ['people.registered'],
			verify: 'auto',
			ownKey: key,
			filters: { ...noFilters, eventTitleContains: 'launch' },
			output: 'job',
			needsDeduplication: true,
			confirmationsPerMinute: 120,
			hasChecks: true,
		};
		return { settings, history: new DeliveryHistory(now), connect, factsMemory };
	});
	const times = Array.from({ length: month.registrants }, () => draw() * month.days * dayMs);
	const beganAtMs = nowMs;
	let runs = 0;
	for (const [index, time] of times.sort((a, b) => a - b).entries()) {
		nowMs = beganAtMs + time;
		const session_id = `s${Math.floor(draw() * month.sessions)}`;
		const attributes = { email: `p${index}@example.org`, registrant_detail: { session_id } };
		const meta = { webhook: { event: 'people.registered' } };
		const data = { type: 'people', id: `p${index}`, attributes, meta };
		const body = new TextEncoder().encode(JSON.stringify({ data }));
		for (const trigger of triggers) {
			const decision = await receive({ body, signature: undefined, key }, trigger);
			if (decision.kind === 'start') runs++;
		}
	}
	return { requests: asked.length, runs };
}

test.each([
	['passes the filter', 'The Launch', month.registrants * month.triggers],
	['is excluded by the filter', 'A party', 0],
])(
	'ten thousand registrants of thirty sessions, five triggers and an event that %s cost at most 1,600 requests',
	async (_, title, expected) => {
		const { requests, runs } = await requestsOfMonth(title);
		expect(runs).toBe(expected);
		expect(requests).toBeGreaterThan(month.sessions);
		expect(requests).toBeLessThanOrEqual(1_600);
	},
);
