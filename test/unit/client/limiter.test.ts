import fc from 'fast-check';
import {
	withResponse,
	withRequest,
	earliestDeparture,
	perSecond,
	startLimiter,
	type LimitFacts,
	type Limiter,
} from '../../../nodes/EventPlatform/core/client/limiter';

const now = Date.UTC(2026, 0, 1);
/** The middle of whatever is drawn. */
const middle = (): number => 0.5;
const rateLimited: LimitFacts = { isRateLimited: true };
const accepted: LimitFacts = { isRateLimited: false };
/** The time that a request is taken to travel. */
const travelMs = 40;

/** Requests that arrived so many milliseconds ago, oldest first. */
function arrived(...ago: number[]): Limiter['uses'] {
	return ago.map((ms) => ({ sentAt: now - ms - travelMs, arrivesAt: now - ms, isTry: false }));
}

function limiterWith(changes: Partial<Limiter>): Limiter {
	return { ...startLimiter(5, changes.cap), ...changes };
}

/** When the next request may leave, in milliseconds from now. */
const waitMs = (changes: Partial<Limiter>, ahead = 0): number =>
	earliestDeparture(limiterWith(changes), now, ahead) - now;

describe('when a request may leave', () => {
	test('at once, while a place is free', () => {
		expect(waitMs({ uses: arrived(400, 300, 200, 100) })).toBe(0);
	});

	test('with five places: a second after the arrival of the fifth request before it', () => {
		expect(waitMs({ uses: arrived(900, 400, 300, 200, 100) })).toBe(100);
	});

	test('with one place: a second after the arrival of the last request', () => {
		expect(waitMs({ places: 1, uses: arrived(1_300, 300) })).toBe(700);
	});

	test('with fewer than all places: no sooner than a fifth of a second after the last request', () => {
		expect(waitMs({ places: 4, uses: arrived(10) })).toBe(150);
		expect(waitMs({ places: 5, uses: arrived(10) })).toBe(0);
	});

	test('with half a place: two seconds after it', () => {
		expect(waitMs({ places: 0.5, uses: arrived(300) })).toBe(1_700);
	});

	test('a try does not wait for a place', () => {
		expect(waitMs({ places: 1, uses: arrived(300), tryAt: now + 50 })).toBe(50);
	});

	test('nothing leaves before a pause ends, not even a try', () => {
		expect(waitMs({ pausedUntil: now + 7_000 })).toBe(7_000);
		expect(waitMs({ places: 0.5, tryAt: now + 50, pausedUntil: now + 7_000 })).toBe(7_000);
	});

	test('a try keeps to the cap', () => {
		expect(waitMs({ cap: 0.4, places: 0.5, uses: arrived(500), tryAt: now })).toBe(2_000);
	});

	test('a second later, where as many wait before it as there are places', () => {
		expect(waitMs({ uses: arrived(900, 4, 3, 2, 1) }, 5)).toBe(1_100);
	});
});

/** The limiter after the answer to its latest request, which left 100 ms ago. */
function taught(changes: Partial<Limiter>, lesson: LimitFacts, isTry = false): Limiter {
	const sentAt = now - 100;
	const limiter = limiterWith({
		uses: [{ sentAt, arrivesAt: sentAt + travelMs, isTry }],
		usualMs: 100,
		...changes,
	});
	return withResponse(limiter, lesson, sentAt, now, middle);
}

describe('what an answer teaches', () => {
	test('a rate limited request costs a place', () => {
		expect(taught({}, rateLimited).places).toBe(4);
	});

	test.each([
		[1, 0.5],
		[0.5, 0.25],
		[0.25, 0.25],
	])('of %f of a place %f is left', (places, left) => {
		expect(taught({ places }, rateLimited).places).toBe(left);
	});

	test('a place is free again a second after a rate limited request left, without a margin for its journey', () => {
		const sentAt = now - 100;
		const earliest = (facts: LimitFacts) =>
			earliestDeparture(taught({ places: 1, tryAt: now + 9_000 }, facts), now) - sentAt;
		expect(earliest(accepted)).toBe(1_040);
		expect(earliest(rateLimited)).toBe(2_000);
		expect(taught({}, rateLimited).uses.at(-1)?.arrivesAt).toBe(sentAt);
	});

	test('requests that are rate limited at one moment cost one place together', () => {
		let limiter = limiterWith({ usualMs: 100 });
		const sent = [0, 1, 2, 3].map((ms) => now + ms);
		for (const at of sent) limiter = withRequest(limiter, at, middle);
		for (const at of sent) limiter = withResponse(limiter, rateLimited, at, at + 100, middle);
		expect(limiter.places).toBe(4);
	});

	test('a rate limited try costs nothing, and an accepted one is kept as a place', () => {
		expect(taught({ places: 2 }, rateLimited, true).places).toBe(2);
		expect(taught({ places: 2 }, accepted, true).places).toBe(3);
	});

	test('a part of a place grows to a whole one', () => {
		expect(taught({ places: 0.25 }, accepted, true).places).toBe(1);
	});

	test('any other accepted request changes nothing', () => {
		expect(taught({ places: 2 }, accepted).places).toBe(2);
	});

	test('to wait two seconds is about places, to wait longer is a pause', () => {
		const afterTwoSeconds = taught({}, { ...rateLimited, pauseMs: 2_000 });
		expect(afterTwoSeconds.places).toBe(4);
		expect(afterTwoSeconds.pausedUntil).toBeUndefined();
		expect(taught({}, { ...rateLimited, pauseMs: 7_000 })).toMatchObject({
			places: 5,
			pausedUntil: now + 7_000,
		});
	});

	test('a larger limit is tried place by place by a process that shares', () => {
		expect(taught({ places: 3 }, { ...accepted, allowed: 20 }).places).toBe(3);
		expect(taught({ places: 5 }, { ...accepted, allowed: 20 }).places).toBe(20);
	});

	test('an answer that takes half as long again as usual: the place is free later by the difference', () => {
		const after = (tookMs: number): number => {
			const limiter = limiterWith({
				places: 1,
				uses: [{ sentAt: now, arrivesAt: now + travelMs, isTry: false }],
				usualMs: 100,
			});
			return (
				earliestDeparture(withResponse(limiter, accepted, now, now + tookMs, middle), now) - now
			);
		};
		expect(after(149)).toBe(1_040);
		expect(after(400)).toBe(1_340);
	});

	test('answers that always take longer are late no more', () => {
		let limiter = limiterWith({ places: 1, usualMs: 100 });
		for (let at = now; at < now + 40_000; at += 2_000) {
			limiter = withResponse(withRequest(limiter, at, middle), accepted, at, at + 200, middle);
		}
		expect(limiter.usualMs).toBeGreaterThan(190);
	});
});

describe('when one more place is tried', () => {
	/** Seconds from the 429 to the next try. */
	const nextTrySeconds = (limiter: Limiter): number => ((limiter.tryAt ?? Infinity) - now) / 1_000;

	test('after eleven seconds or so with four places, after half of that with a part of one', () => {
		expect(nextTrySeconds(taught({}, rateLimited))).toBe(11);
		expect(nextTrySeconds(taught({ places: 0.25 }, rateLimited))).toBe(5.375);
	});

	test('twice as late after each rate limited try, at most half a minute', () => {
		const waits = [0, 1, 2, 3].map((rateLimitedTries) =>
			nextTrySeconds(taught({ places: 2, rateLimitedTries }, rateLimited, true)),
		);
		expect(waits).toEqual([16, 30, 30, 30]);
	});

	test('another 429 does not put off a try that is planned', () => {
		expect(nextTrySeconds(taught({ places: 3, tryAt: now + 2_000 }, rateLimited))).toBe(2);
	});

	test('not at all with all places', () => {
		expect(taught({ places: 4 }, accepted, true).tryAt).toBeUndefined();
	});

	test('a try whose answer never comes is followed by another one', () => {
		const limiter = limiterWith({ places: 1, uses: arrived(100), tryAt: now });
		expect(nextTrySeconds(withRequest(limiter, now, middle))).toBeGreaterThan(0);
	});

	test.each([1_000, 6_000, 30_000])('a try is kept although its answer takes %d ms', (takesMs) => {
		const sharing = limiterWith({ places: 4, uses: arrived(300, 200, 100, 0), tryAt: now });
		let limiter = withRequest(sharing, now, middle);
		for (let at = now + 300; at < now + takesMs; at += 300)
			limiter = withRequest(limiter, at, middle);
		expect(withResponse(limiter, accepted, now, now + takesMs, middle).places).toBe(5);
	});

	test('after ten seconds without a request a process begins anew with all places', () => {
		const shared = { places: 1, uses: arrived(0) };
		expect(withRequest(limiterWith(shared), now + 9_000, middle).places).toBe(1);
		expect(withRequest(limiterWith(shared), now + 11_000, middle).places).toBe(5);
	});

	test('not after a pause, which the others keep as well: its ten seconds begin when the pause ends', () => {
		const paused = limiterWith({ places: 1, uses: arrived(0), pausedUntil: now + 30_000 });
		expect(withRequest(paused, now + 30_000, middle).places).toBe(1);
		expect(withRequest(paused, now + 40_000, middle).places).toBe(1);
		expect(withRequest(paused, now + 40_001, middle).places).toBe(5);
	});
});

test('the rate that is told is that of the places', () => {
	expect(perSecond(startLimiter(5))).toBe(5);
	expect(perSecond(limiterWith({ places: 0.25 }))).toBe(0.25);
	expect(perSecond(startLimiter(5, 0.4))).toBe(0.4);
});

test('whatever happens, a cap holds', () => {
	const step = fc.record({
		pauseMs: fc.nat(4_000),
		isRateLimited: fc.boolean(),
		chance: fc.double({ min: 0, max: 0.999, noNaN: true }),
	});
	const caps = fc.constantFrom(0.1, 0.4, 1, 2, 2.5, 3);
	fc.assert(
		fc.property(caps, fc.array(step, { maxLength: 60 }), (cap, steps) => {
			let limiter = startLimiter(5, cap);
			let at = now;
			const sent: number[] = [];
			for (const { pauseMs, isRateLimited, chance } of steps) {
				at = Math.max(at + pauseMs, earliestDeparture(limiter, at + pauseMs));
				sent.push(at);
				limiter = withRequest(limiter, at, () => chance);
				limiter = withResponse(limiter, { isRateLimited, allowed: 5 }, at, at + 100, () => chance);
			}
			const most = Math.ceil(cap);
			const spans = sent.map((time, index) => (sent[index + most] ?? Infinity) - time);
			for (const span of spans) expect(span).toBeGreaterThanOrEqual((1_000 * most) / cap - 1e-3);
		}),
	);
});
