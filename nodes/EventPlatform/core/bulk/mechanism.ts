/** A mechanism of bulk registration. A benchmark takes one of them away at a time, to show what each is worth. */
export type Mechanism =
	/** Up to 300 jobs are open at once, instead of 40. */
	| 'manyOpenJobs'
	/** The more first reads come in time, the more jobs are read for the first time at once. */
	| 'firstReadRamp'
	/** First reads wait when two of them in a row came too early. */
	| 'firstReadHold'
	/** The duration of jobs is learned from those that were already read. */
	| 'learnedDuration'
	/** A job is read again when its progress says that it is over. */
	| 'predictedEnd'
	/** Fewer requests are under way at once after a failure. */
	| 'concurrencyAfterFailures'
	/** Nothing leaves for a while after a failure. */
	| 'pauseAfterFailures'
	/** Once enough results have come in the order in which the people were sent, the order shows whose the other results are. */
	| 'orderProof'
	/** The list of registered people is asked where results leave open who is registered. */
	| 'askingWhoIsThere'
	/** A batch that was refused is divided by the words that the refusal quotes. */
	| 'quotedSuspects';
