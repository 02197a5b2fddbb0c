import fc from 'fast-check';
import { exchangeEveryMs } from '../../../nodes/EventPlatform/core/pace/exchange';
import { afterAnswer, type Lesson } from '../../../nodes/EventPlatform/core/pace/learn';
import {
	afterSending,
	earliest,
	startLimit,
	withRates,
	type Limit,
} from '../../../nodes/EventPlatform/core/pace/limit';

/** No exchange is near, neither of those who share nor of those who are alone. */
const now = exchangeEveryMs * Math.ceil(Date.UTC(2026, 0, 1) / exchangeEveryMs) + 1_500;
const middle = () => 0.5;
const base: Limit = { ...startLimit(5), isFresh: false };
/** Used so many milliseconds ago, oldest first. */
const used = (...ago: number[]) => ago.map((ms) => use(now - ms));
const use = (sentAt: number, isClaim = false) => ({
	sentAt,
	from: sentAt,
	isClaim,
	isOpening: false,
});

describe('when a request may leave', () => {
	test.each<[string, Partial<Limit>, number, number]>([
		['at once, when nothing was sent', {}, 0, 0],
		['at once, while a place is free', { uses: used(400, 300, 200, 100) }, 0, 0],
		[
			'when the oldest of five uses is a second ago',
			{ uses: used(900, 400, 300, 200, 100) },
			0,
			100,
		],
		['at once, when it already is', { uses: used(1_200, 400, 300, 200, 100) }, 0, 0],
		['later, when others wait before it', { uses: used(900, 400, 300, 200, 100) }, 2, 700],
		['one place: a second after the last use', { places: 1, uses: used(1_300, 300) }, 0, 700],
		[
			'a claim comes before a place is free',
			{ places: 1, uses: used(300), claimAt: now + 50 },
			0,
			50,
		],
		['no place: when one is claimed', { places: 0, claimAt: now + 2_500 }, 0, 2_500],
		['no place, and two before it', { places: 0, claimAt: now + 2_500 }, 2, 4_500],
		['not before the pause ends', { pausedUntil: now + 7_000 }, 0, 7_000],
		['nor does a claim', { places: 0, claimAt: now + 50, pausedUntil: now + 7_000 }, 0, 7_000],
		['after the first answer', { isFresh: true, uses: used(100) }, 0, 900],
		['a second later, if that answer never comes', { isFresh: true, uses: used(1_000) }, 0, 0],
		['0.4 a second: 2.5 s after the last', { cap: 0.4, places: 1, uses: used(500) }, 0, 2_000],
		[
			'a claim keeps to the cap too',
			{ cap: 0.4, places: 0, uses: used(500), claimAt: now },
			0,
			2_000,
		],
		[
			'2 a second of 5: a second after the one before the last',
			{ cap: 2, places: 2, uses: used(700, 600) },
			0,
			300,
		],
	])('%s', (_, limit, ahead, ms) => {
		expect(earliest({ ...base, ...limit }, now, ahead) - now).toBe(ms);
	});
});

describe('what an answer teaches', () => {
	const sentAt = now - 100;
	const full = { uses: used(900, 700, 500, 300, 100) };
	const oneOf = (places: number, isClaim = false) => ({
		places,
		uses: [use(sentAt, isClaim)],
		travel: { trips: 20, leastMs: 100, meanMs: 100, deviationMs: 1, jitterMs: 40, isEven: false },
	});
	const refused: Lesson = { isRefused: true };
	const accepted: Lesson = { isRefused: false };
	const told = (remaining: number): Lesson => ({ isRefused: false, allowed: 5, remaining });

	test.each<[string, Partial<Limit>, Lesson, number]>([
		['refused once with all places on a line that seemed even: a late request', full, refused, 5],
		['refused with all places on an uneven line: one goes', oneOf(5), refused, 4],
		['refused with some: one is left', oneOf(3), refused, 2],
		['refused with one: none is', oneOf(1), refused, 0],
		[
			'refused with the very first request: nothing is free',
			{ ...oneOf(5), isFresh: true },
			refused,
			0,
		],
		['a refused claim costs nothing', oneOf(2, true), refused, 2],
		['an accepted claim is a place', oneOf(2, true), accepted, 3],
		['any other accepted request changes nothing', oneOf(2), accepted, 2],
		['refused for many seconds: that is not about places', full, { ...refused, pauseMs: 7_000 }, 5],
		[
			'the first answer counts others: it takes what is left',
			{ ...oneOf(5), isFresh: true },
			told(1),
			2,
		],
		['alone with the token', { ...oneOf(5), isFresh: true }, told(4), 5],
		['beside others, as long as nothing is refused', oneOf(5), told(2), 5],
		['a larger limit is used', oneOf(5), { ...accepted, allowed: 20 }, 20],
		['by whoever shares only place by place', oneOf(3), { ...accepted, allowed: 20 }, 3],
		['a smaller one is obeyed', oneOf(5), { ...accepted, allowed: 1 }, 1],
	])('%s', (_, limit, lesson, places) => {
		expect(afterAnswer({ ...base, ...limit }, lesson, sentAt, now, middle).places).toBe(places);
	});

	test('the second refusal of somebody alone costs a place', () => {
		const once = afterAnswer({ ...base, ...full }, refused, sentAt, now, middle);
		expect(afterAnswer(once, refused, sentAt, now, middle).places).toBe(4);
	});

	test('requests that left together and are refused together cost a place each', () => {
		const once = afterAnswer({ ...base, ...oneOf(3) }, refused, sentAt, now, middle);
		expect(afterAnswer(once, refused, sentAt, now, middle).places).toBe(1);
	});

	test.each([
		['as fast as ever: the place is free a second and the spare time later', 100, 1_010],
		['a little slower: later by that', 115, 1_025],
		['much slower than usual: later by all of the delay', 400, 1_310],
	])('an answer that came %s', (_, tripMs, freeMs) => {
		const late = afterAnswer({ ...base, ...oneOf(1) }, accepted, sentAt, sentAt + tripMs, middle);
		expect(earliest(late, sentAt) - sentAt).toBe(freeMs);
	});

	test('room that answers promise is claimed at the next exchange, and doubted after a refusal', () => {
		const waiting = { ...base, ...oneOf(1), refusals: 6, claimAt: now + 60_000 };
		const ready = afterAnswer(waiting, told(2), sentAt, now, middle);
		expect(ready.claimAt - now).toBeLessThan(exchangeEveryMs + 1_000);
		const doubting = afterAnswer(ready, refused, sentAt, now, middle);
		const later = { ...doubting, places: 1, refusals: 6, claimAt: now + 60_000 };
		expect(afterAnswer(later, told(2), sentAt, now, middle).claimAt).toBe(now + 60_000);
	});

	test('after every refused claim more exchanges pass before the next, unless there is no place', () => {
		const waits = (places: number) => {
			let limit: Limit = { ...base, ...oneOf(places, true) };
			return Array.from({ length: 4 }, () => {
				limit = afterAnswer(limit, refused, sentAt, now, middle);
				return Math.floor((limit.claimAt - now) / exchangeEveryMs);
			});
		};
		expect(waits(2)).toEqual([1, 2, 3, 4]);
		expect(waits(0)).toEqual([0, 0, 0, 0]);
	});
});

test('whatever happens, a cap holds', () => {
	const step = fc.record({
		waitMs: fc.nat(4_000),
		isRefused: fc.boolean(),
		remaining: fc.option(fc.nat(5), { nil: undefined }),
		chance: fc.double({ min: 0, max: 0.999, noNaN: true }),
	});
	fc.assert(
		fc.property(
			fc.constantFrom(0.1, 0.4, 1, 2, 2.5, 3),
			fc.array(step, { maxLength: 60 }),
			(cap, steps) => {
				let limit = startLimit(5, cap);
				let at = now;
				const sent: number[] = [];
				for (const { waitMs, isRefused, remaining, chance } of steps) {
					at = Math.max(at + waitMs, earliest(limit, at + waitMs));
					if (at > now + 1e9) break;
					sent.push(at);
					limit = afterSending(limit, at, () => chance);
					limit = afterAnswer(
						limit,
						{ isRefused, remaining, allowed: 5 },
						at,
						at + 100,
						() => chance,
					);
				}
				const most = Math.ceil(cap);
				const spans = sent.map((time, index) => (sent[index + most] ?? Infinity) - time);
				for (const span of spans) expect(span).toBeGreaterThanOrEqual((1_000 * most) / cap - 1e-3);
			},
		),
	);
});

test('a changed cap holds from then on', () => {
	const capped = withRates(base, { allowed: 5, cap: 2 });
	expect(capped.places).toBe(2);
	expect(withRates(capped, { allowed: 5 }).places).toBe(5);
});
