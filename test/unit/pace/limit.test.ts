import fc from 'fast-check';
import {
	afterAnswer,
	afterSending,
	earliest,
	perSecond,
	startLimit,
	type Lesson,
	type Limit,
} from '../../../nodes/EventPlatform/core/pace/limit';

/** Exchanges are 6.64 s apart; none is near, and the next one is a third one. */
const now = 3 * 6_640 * Math.ceil(Date.UTC(2026, 0, 1) / 6_640 / 3) - 6_640 + 1_500;
const middle = () => 0.5;
const base = startLimit(5);
/** Used so many milliseconds ago, oldest first. */
const used = (...ago: number[]) => ago.map((ms) => use(now - ms));
const use = (sentAt: number, isClaim = false) => ({
	...{ sentAt, from: sentAt, isClaim, isFirst: false },
});
const sentAt = now - 100;
const oneOf = (places: number, isClaim = false) => ({
	places,
	uses: [use(sentAt - 500), use(sentAt, isClaim)],
	usual: { ms: 100, deviationMs: 5 },
});

describe('when a request may leave', () => {
	test.each<[string, Partial<Limit>, number]>([
		['at once, while a place is free', { uses: used(400, 300, 200, 100) }, 0],
		['a second after the oldest of five uses', { uses: used(900, 400, 300, 200, 100) }, 100],
		['one place: a second after the last use', { places: 1, uses: used(1_300, 300) }, 700],
		['a claim does not wait for a place', { places: 1, uses: used(300), claimAt: now + 50 }, 50],
		['no place: when one is claimed', { places: 0, claimAt: now + 2_500 }, 2_500],
		['not before the pause ends', { pausedUntil: now + 7_000 }, 7_000],
		['nor does a claim', { places: 0, claimAt: now + 50, pausedUntil: now + 7_000 }, 7_000],
		['a claim keeps to the cap', { cap: 0.4, places: 0, uses: used(500), claimAt: now }, 2_000],
	])('%s', (_, limit, ms) => {
		expect(earliest({ ...base, ...limit }, now) - now).toBe(ms);
	});

	test('a second later, when as many wait as there are places', () => {
		expect(earliest({ ...base, uses: used(900, 4, 3, 2, 1) }, now, 5) - now).toBe(1_100);
	});

	const exchange = now - 1_500 + 6_640;

	test.each<[string, Partial<Limit>, number]>([
		['the only place stays unused', { places: 1, uses: [use(exchange - 1_500)] }, 613],
		['nor is one used that has long been free', { places: 1, uses: [use(exchange - 3_000)] }, 613],
		['one of two does', { places: 2, uses: [use(exchange - 1_500), use(exchange - 900)] }, 600],
	])('around an exchange %s', (_, limit, ms) => {
		const at = exchange - 500;
		expect(Math.round(earliest({ ...base, ...limit }, at) - at)).toBe(ms);
	});
});

describe('what an answer teaches', () => {
	const refused: Lesson = { isRefused: true };
	const accepted: Lesson = { isRefused: false };

	test.each<[string, Partial<Limit>, Lesson, number]>([
		['a refused claim costs nothing', oneOf(2, true), refused, 2],
		['an accepted claim is a place', oneOf(2, true), accepted, 3],
		['any other accepted request changes nothing', oneOf(2), accepted, 2],
		['refused for two seconds: a place goes', oneOf(5), { ...refused, pauseMs: 2_000 }, 4],
		['refused for many seconds: not about places', oneOf(5), { ...refused, pauseMs: 7_000 }, 5],
		['by a process that shares only place by place', oneOf(3), { ...accepted, allowed: 20 }, 3],
	])('%s', (_, limit, lesson, places) => {
		expect(afterAnswer({ ...base, ...limit }, lesson, sentAt, now, middle).places).toBe(places);
	});

	test('a refusal with all places: from then on there is more room between two requests', () => {
		const limit = afterAnswer({ ...base, ...oneOf(5) }, refused, sentAt, now, middle);
		expect(limit.extraRoomMs).toBeGreaterThan(base.extraRoomMs);
		const calm = Array.from({ length: 1_000 }).reduce<Limit>(
			(before) => afterAnswer(before, accepted, sentAt, now, middle),
			limit,
		);
		expect(calm.extraRoomMs).toBe(base.extraRoomMs);
	});

	test.each([
		['as usual: the place is free a second and the room later', 115, 1_020],
		['much later than usual: later by that as well', 400, 1_320],
	])('an answer that came %s', (_, tookMs, freeMs) => {
		// The next request may arrive before it.
		const before = { ...base, ...oneOf(1), uses: [use(sentAt), use(sentAt + 10)] };
		const limit = afterAnswer(before, accepted, sentAt, sentAt + tookMs, middle);
		expect(Math.round(earliest(limit, sentAt) - sentAt)).toBe(freeMs);
	});

	test('the first requests open connections: each place is free a second after the answer', () => {
		const sent = afterSending(startLimit(1), now, middle);
		const answered = afterAnswer(sent, accepted, now, now + 300, middle);
		expect(earliest(answered, now + 300) - now).toBe(1_300);
		const again = afterSending(answered, now + 1_300, middle);
		expect(earliest(again, now + 1_300) - now).toBe(2_335);
	});

	test('around an exchange one place stays unused for others, unless a cap shares', () => {
		const exchange = 6_640 * Math.ceil(now / 6_640);
		const before = (...ms: number[]) => ms.map((one) => use(exchange - one));
		const uses = before(1_200, 400, 300, 200, 100);
		expect(earliest({ ...base, uses }, exchange - 150)).toBeGreaterThanOrEqual(exchange);
		expect(earliest({ ...startLimit(5, 5), uses }, exchange - 150)).toBe(exchange - 150);
		// With all places a process is perhaps alone, and does so at every third exchange.
		const next = uses.map(({ sentAt }) => use(sentAt + 6_640));
		expect(earliest({ ...base, uses: next }, exchange + 6_490)).toBe(exchange + 6_490);
		const fewer = { ...base, places: 4, uses: next.slice(1) };
		expect(earliest(fewer, exchange + 6_490)).toBeGreaterThanOrEqual(exchange + 6_640);
	});

	test('answers that always take longer are no longer late', () => {
		let limit: Limit = { ...base, ...oneOf(1) };
		for (let answers = 0; answers < 50; answers++) {
			limit = { ...limit, ...oneOf(1), usual: limit.usual };
			limit = afterAnswer(limit, accepted, sentAt, sentAt + 200, middle);
		}
		expect(Math.round(earliest(limit, sentAt) - sentAt)).toBeLessThan(1_010);
		limit = afterAnswer(
			{ ...limit, ...oneOf(1), usual: limit.usual },
			accepted,
			sentAt,
			sentAt + 260,
			middle,
		);
		expect(Math.round(earliest(limit, sentAt) - sentAt)).toBe(1_061);
	});

	test('after every refused claim more exchanges pass before the next, unless there is no place', () => {
		const waits = (places: number) => {
			let limit: Limit = { ...base, ...oneOf(places, true) };
			return Array.from({ length: 4 }, () => {
				limit = afterAnswer(limit, refused, sentAt, now, middle);
				return Math.floor((limit.claimAt - now) / 6_640);
			});
		};
		expect(waits(2)).toEqual([1, 2, 3, 4]);
		expect(waits(0)).toEqual([0, 0, 0, 0]);
	});

	test('after a pause of many seconds a process begins anew with all places', () => {
		const alone = { ...base, ...oneOf(1) };
		expect(afterSending(alone, now + 5_000, middle).places).toBe(1);
		expect(afterSending(alone, now + 20_000, middle).places).toBe(5);
	});
});

test('a process without a place may still claim one at each exchange, which is a rate', () => {
	expect(perSecond({ ...base, ...oneOf(0) })).toBeGreaterThan(0);
	expect(perSecond({ ...base, ...oneOf(0) })).toBeLessThan(perSecond({ ...base, ...oneOf(1) }));
});

test('whatever happens, a cap holds', () => {
	const step = fc.record({
		waitMs: fc.nat(4_000),
		isRefused: fc.boolean(),
		chance: fc.double({ min: 0, max: 0.999, noNaN: true }),
	});
	const caps = fc.constantFrom(0.1, 0.4, 1, 2, 2.5, 3);
	fc.assert(
		fc.property(caps, fc.array(step, { maxLength: 60 }), (cap, steps) => {
			let limit = startLimit(5, cap);
			let at = now;
			const sent: number[] = [];
			for (const { waitMs, isRefused, chance } of steps) {
				at = Math.max(at + waitMs, earliest(limit, at + waitMs));
				sent.push(at);
				limit = afterSending(limit, at, () => chance);
				limit = afterAnswer(limit, { isRefused, allowed: 5 }, at, at + 100, () => chance);
			}
			const most = Math.ceil(cap);
			const spans = sent.map((time, index) => (sent[index + most] ?? Infinity) - time);
			for (const span of spans) expect(span).toBeGreaterThanOrEqual((1_000 * most) / cap - 1e-3);
		}),
	);
});
