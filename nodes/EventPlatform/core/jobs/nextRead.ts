/** How far a job was when it was read. */
export interface Progress {
	/** When it was read, in milliseconds since 1970. */
	readAt: number;
	/** How many of its tasks were processed. */
	processed: number;
}

const shortestPauseMs = 500;
const longestPauseMs = 30_000;

/** The wait before a job is read again: until the end that progress predicts, else twice the time since the last change. */
export function nextReadMs(
	reads: readonly Progress[],
	total = 50,
	/** Whether progress predicts the end. Else the pauses double as long as the job makes progress. */
	mayPredict = true,
): number {
	const [first] = reads;
	const last = reads.at(-1);
	if (!last || !first || last === first) return 2 * shortestPauseMs;
	const lastChange = reads.find(({ processed }) => processed >= last.processed) ?? last;
	const perTaskMs = (last.readAt - first.readAt) / (last.processed - first.processed);
	// A read that comes a twentieth too late costs less than one request too many.
	const leftMs = mayPredict
		? 1.05 * perTaskMs * Math.max(1, total - last.processed)
		: last.readAt - first.readAt;
	const ms = lastChange === last ? leftMs : 2 * (last.readAt - lastChange.readAt);
	return Math.min(longestPauseMs, Math.max(shortestPauseMs, ms));
}
