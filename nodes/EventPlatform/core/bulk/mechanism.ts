/** A mechanism of bulk registration. A benchmark takes one of them away at a time, to show what each is worth. */
export type Mechanism =
	/** Up to 300 jobs at once, and not 40. */
	| 'manyOpenJobs'
	/** More jobs are read for the first time at once, the more of those reads come in time. */
	| 'firstReadRamp'
	/** First reads wait when two of them in a row came too early. */
	| 'firstReadHold'
	/** How long jobs take is learned from those already read. */
	| 'learnedDuration'
	/** A job is read again when its progress says that it is over. */
	| 'predictedEnd'
	/** Fewer requests are under way at once after a failure. */
	| 'concurrencyAfterFailures'
	/** Nothing leaves for a while after a failure. */
	| 'pauseAfterFailures'
	/** People whose results come in the order in which they were sent show whose the others are. */
	| 'orderProof'
	/** The list of who is registered is asked where results leave that open. */
	| 'askingWhoIsThere'
	/** A request that was refused is divided by the words that the refusal quotes. */
	| 'quotedSuspects';
