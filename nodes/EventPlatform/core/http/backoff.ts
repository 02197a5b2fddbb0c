/** Half a second before the second attempt, then twice as long each time, up to half a minute. */
export function backoffMs(attempt: number): number {
	return Math.min(30_000, 500 * 2 ** (attempt - 1));
}

/** With half a second, one, two … between them, these take a minute. */
const mostTries = 8;

/** When to try something again that has failed so often; undefined: it is not worth it. */
export function nextTryAt(failures: number, now: number, notBefore = 0): number | undefined {
	return failures < mostTries ? Math.max(notBefore, now + backoffMs(failures)) : undefined;
}
