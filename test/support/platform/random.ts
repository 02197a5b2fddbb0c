/** Numbers from 0 to 1. */
export type Random = () => number;

/** A factor with median 1, distributed as durations with many causes are. */
export function logNormal(draw: Random, sigma: number): number {
	const radius = Math.sqrt(-2 * Math.log(1 - draw()));
	return Math.exp(sigma * radius * Math.cos(2 * Math.PI * draw()));
}
