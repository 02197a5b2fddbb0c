/** How far a job was at a moment. */
export interface Sight {
	at: number;
	processed: number;
}

const shortestMs = 500;
const longestMs = 30_000;

/**
 * How long to wait before looking at an unfinished job again. Progress between looks predicts the
 * end; without progress each pause is twice as long as the time that passed since the last change.
 */
export function nextLookMs(sights: readonly Sight[], total = 50): number {
	const last = sights[sights.length - 1];
	const first = sights[0];
	if (!last || !first || last === first) return 2 * shortestMs;
	const done = last.processed - first.processed;
	const changed = sights.findLast(({ processed }) => processed < last.processed);
	const idleSince = sights.find(({ processed }) => processed === last.processed) ?? last;
	if (done <= 0 || !changed || idleSince !== last) {
		return within(2 * (last.at - (done > 0 ? idleSince : first).at));
	}
	const perTaskMs = (last.at - first.at) / done;
	// A little late costs less than a request too many.
	return within(1.05 * perTaskMs * Math.max(1, total - last.processed));
}

function within(ms: number): number {
	return Math.min(longestMs, Math.max(shortestMs, ms));
}
