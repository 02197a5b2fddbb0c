import { DeliveryHistory } from '../../nodes/EventPlatform/core/deliveries/deliveryHistory';
import { receive, type Settings } from '../../nodes/EventPlatform/core/deliveries/receive';
import { Failure } from '../../nodes/EventPlatform/core/http/failure';
import type { Api, ApiRequest } from '../../nodes/EventPlatform/core/http/ports';

const key = 'k'.repeat(43);
const dayMs = 24 * 3_600_000;

const settings: Settings = {
	...{ kinds: ['job.ended'], verify: 'auto', secret: '', key, output: 'job', deduplicate: true },
	filters: { jobIds: [], onlyWithFailures: false, sessionId: '', eventId: '' },
	confirmationsPerMinute: 120,
};

const forged = 100_000;
const genuine = 1_000;

/** Lookups that may be spent at once, and in a day after that. */
const cap = 480 + 24 * 9;

test(`${forged} forgeries in a day start nothing and cost ${cap} requests at most; genuine ones none`, async () => {
	const asked: ApiRequest[] = [];
	const ask = (request: ApiRequest) => {
		asked.push(request);
		return Promise.reject(new Failure('not_found', request, { status: 404 }));
	};
	const api: Api = Object.assign(ask, { usage: { requests: 1, perSecond: 5 } });
	const history = new DeliveryHistory();
	let now = Date.UTC(2026, 10, 21);
	const parts = {
		connect: () => Promise.resolve({ api, apiRoot: '/v1' }),
		history,
		now: () => now,
		requestClock: () => now,
	};
	const deliver = (id: string, given?: string) => {
		const body = JSON.stringify({ type: 'jobs', id, attributes: { status: 'ended' } });
		const arrival = { body: new TextEncoder().encode(body), signature: undefined, key: given };
		return receive({ ...arrival, at: now }, settings, parts);
	};

	const answers = new Map<number, number>();
	let requests = 0;
	for (let n = 0; n < forged; n++) {
		now += dayMs / forged;
		if (n % (forged / genuine) === 0) {
			const before = asked.length;
			expect((await deliver(`genuine-${n}`, key)).records).toHaveLength(1);
			requests += asked.length - before;
		}
		// Without a key; with a wrong one; what came before, without the key
		const replayed = `genuine-${n - (n % (forged / genuine))}`;
		const way = n % 3;
		const { status, records } = await deliver(
			way === 2 ? replayed : `forged-${n}`,
			way === 1 ? 'K'.repeat(43) : undefined,
		);
		expect(records).toEqual([]);
		answers.set(status, (answers.get(status) ?? 0) + 1);
	}
	expect(requests).toBe(0);
	expect(asked.length).toBeGreaterThan(480);
	expect(asked.length).toBeLessThanOrEqual(cap);
	const wrong = Math.floor((forged + 1) / 3);
	expect(answers.get(401)).toBe(wrong + asked.length);
	expect(answers.get(200)).toBe(Math.floor(forged / 3));
}, 60_000);
