/** The progress of a job when it was read. */
export interface Progress {
	/** When it was read, in milliseconds since 1970. */
	readAt: number;
	/** The number of its tasks that were processed. */
	processed: number;
}

/** The bounds of the pause between two reads of a job. */
const shortestPauseMs = 500;
const longestPauseMs = 30_000;
/** A job that does not say how many tasks it has is taken for a full one, which has fifty (section 8). */
const tasksOfFullJob = 50;
/** The predicted time is made a twentieth longer, because a read that comes so much too late costs less than one request too many. */
const leeway = 1.05;

/** Gives the pause before a job is read again: until the end that its progress predicts, or else twice the time since its last change. */
export function nextReadMs(
	reads: readonly Progress[],
	total = tasksOfFullJob,
	/** Whether progress may predict the end. Otherwise the pauses double as long as the job makes progress. */
	mayPredict = true,
): number {
	const [firstRead] = reads;
	const lastRead = reads.at(-1);
	if (!lastRead || !firstRead || lastRead === firstRead) return 2 * shortestPauseMs;
	const lastChange = reads.find(({ processed }) => processed >= lastRead.processed) ?? lastRead;
	const perTaskMs =
		(lastRead.readAt - firstRead.readAt) / (lastRead.processed - firstRead.processed);
	const leftMs = mayPredict
		? leeway * perTaskMs * Math.max(1, total - lastRead.processed)
		: lastRead.readAt - firstRead.readAt;
	const pauseMs = lastChange === lastRead ? leftMs : 2 * (lastRead.readAt - lastChange.readAt);
	return Math.min(longestPauseMs, Math.max(shortestPauseMs, pauseMs));
}
