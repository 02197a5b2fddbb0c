/**
 * Processes that share a token cannot talk to each other, but they have the time in common. So places
 * change hands at moments that all of them know: the multiples of this interval since 1970. It is six
 * uses of a place, and 0.4 s to change hands in. Five uses: eight processes are refused 12 % instead
 * of 10 %. Seven: behind a fixed window, one of two gets less than half of its share in every eighth
 * half minute, not in every fiftieth.
 */
export const exchangeEveryMs = 6_640;

/** By how much the clock of the platform is ahead of ours: between these. */
export interface ClockDifference {
	readonly least: number;
	readonly most: number;
}

export const unknownDifference: ClockDifference = { least: -Infinity, most: Infinity };

/** The header `Date` counts whole seconds, so many answers together tell the time well. */
export function afterDate(
	{ least, most }: ClockDifference,
	date: number,
	sentAt: number,
	now: number,
): ClockDifference {
	const seen = { least: date - now, most: date + 1_000 - sentAt };
	const both = { least: Math.max(least, seen.least), most: Math.min(most, seen.most) };
	// Clocks are set now and then: what was seen before is no longer true.
	return both.least <= both.most ? both : seen;
}

/** Our own clock is right as long as no answer contradicts it: most machines agree to a few milliseconds. */
function aheadMs({ least, most }: ClockDifference): number {
	return least <= 0 && most >= 0 ? 0 : (least + most) / 2;
}

/** The first exchange at or after a moment of our clock, and its number. */
export function exchangeFrom(now: number, difference: ClockDifference) {
	const ahead = aheadMs(difference);
	const count = Math.ceil((now + ahead) / exchangeEveryMs);
	return { at: count * exchangeEveryMs - ahead, count };
}

/**
 * Who has fewer places comes first, and each rank within half of that. 100: on a busy machine one of two
 * gets less than half of its share in 15 % of the half minutes instead of 4 %. 200: eight processes use
 * 2 % less.
 */
const rankMs = 150;

/** So long after an exchange a process that has so many places claims one more. */
export function claimAfterMs(places: number, random: () => number): number {
	return (Math.min(places, 2) + random() / 2) * rankMs;
}

/**
 * So long after it a process uses its last place again. Others may have claimed it by then: who has
 * none, if it is the only one, and who has one, if there are more. So places go round.
 */
export function restMs(places: number): number {
	return (Math.min(places, 2) - 1 / 4) * rankMs;
}
