/** Tells the time, and waits. */
export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Resolves after `ms`, or throws `Cancelled` within a second of the signal. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
