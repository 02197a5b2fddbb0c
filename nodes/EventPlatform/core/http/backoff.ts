/** Half a second before the second attempt, then twice as long each time, up to half a minute. */
export function backoffMs(attempt: number): number {
	return Math.min(30_000, 500 * 2 ** (attempt - 1));
}
