/** How often anything is tried, and the waits in between: after the `free` failures each is twice as long as before. */
const patience = {
	/** One that does no harm twice, and was not answered as it should be: 3.5 s in all. */
	request: { tries: 4, firstMs: 500, longestMs: 30_000, free: 0 },
	/** 429: others may be using up the limit, for 95 s in all. */
	refusal: { tries: 15, firstMs: 1_000, longestMs: 8_000, free: 0 },
	/** Some people of a bulk run in one request, and each read of their job: a minute in all. */
	shipment: { tries: 8, firstMs: 500, longestMs: 30_000, free: 0 },
	/** Reads of a job that is over and whose list of results lags behind: fifteen seconds in all. */
	lateResults: { tries: 5, firstMs: 1_000, longestMs: 30_000, free: 0 },
	/** A bulk run whose requests all fail: two minutes in all. The first two only slow it down. */
	run: { tries: 12, firstMs: 500, longestMs: 30_000, free: 2 },
	/** Changes of Sync in a row without an answer, each after the tries of a request. */
	steps: { tries: 12, firstMs: 0, longestMs: 0, free: 0 },
	/** A file, which goes on where it broke. */
	transfer: { tries: 11, firstMs: 500, longestMs: 8_000, free: 0 },
};

/** By how often it has failed in a row; undefined: give up. */
export function againAfterMs(what: keyof typeof patience, failures: number): number | undefined {
	const { tries, firstMs, longestMs, free } = patience[what];
	if (failures >= tries) return undefined;
	return failures > free ? Math.min(longestMs, firstMs * 2 ** (failures - free - 1)) : 0;
}
