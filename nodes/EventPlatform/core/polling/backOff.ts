import type { Seconds } from '../values/units';

/** What fails or is refused, since when, and when it was last tried. */
interface Trouble {
	sinceAt: Seconds;
	triedAt: Seconds;
}

/** What fails or is refused is tried again when twice as much time has passed since then, and after the longest pause at the latest. */
export function backOffUntil({ sinceAt, triedAt }: Trouble, mostSeconds: Seconds): Seconds {
	return triedAt + Math.min(triedAt - sinceAt, mostSeconds);
}
