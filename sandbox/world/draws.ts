/** Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). */
export function createDraws(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Gives the items in an order that the draws decide (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], draw: () => number): T[] {
	const result = [...items];
	for (let last = result.length - 1; last > 0; last--) {
		const position = Math.floor(draw() * (last + 1));
		[result[last], result[position]] = [result[position] as T, result[last] as T];
	}
	return result;
}
