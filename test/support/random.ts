/** Numbers from 0 to 1, the same for the same seed. */
export type Random = () => number;

/** Mulberry32. */
export function random(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}

/** A factor with median 1, distributed as durations with many causes are. */
export function logNormal(draw: Random, sigma: number): number {
	const radius = Math.sqrt(-2 * Math.log(1 - draw()));
	return Math.exp(sigma * radius * Math.cos(2 * Math.PI * draw()));
}
