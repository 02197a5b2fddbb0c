/** How far a job was when it was read. */
export interface Progress {
	at: number;
	processed: number;
}

const shortestMs = 500;
const longestMs = 30_000;

/**
 * How long to wait before an unfinished job is read again. Progress between reads predicts the
 * end; without progress each pause is twice as long as the time since the last change.
 */
export function nextReadMs(reads: readonly Progress[], total = 50): number {
	const last = reads[reads.length - 1];
	const first = reads[0];
	if (!last || !first || last === first) return 2 * shortestMs;
	const idleSince = reads.find(({ processed }) => processed >= last.processed) ?? last;
	if (idleSince !== last) return within(2 * (last.at - idleSince.at));
	const perTaskMs = (last.at - first.at) / (last.processed - first.processed);
	// A twentieth late costs less than one request too many.
	return within(1.05 * perTaskMs * Math.max(1, total - last.processed));
}

function within(ms: number): number {
	return Math.min(longestMs, Math.max(shortestMs, ms));
}
