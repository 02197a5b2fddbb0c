/** A mechanism of the core that a benchmark takes away: a text of one of its files, and what it becomes. */
export type Change = [file: string, text: string, into: string];

export const ofBulk: Readonly<Record<string, Change>> = {
	'open jobs: 40': ['bulk/run', 'mostOpen = 300', 'mostOpen = 40'],
	'no ramp of first reads': ['bulk/firstReads', 'Math.max(this.inTime, 0) + 2)', 'Infinity)'],
	'no hold of first reads': ['bulk/firstReads', 'if (this.inTime < -1)', 'if (false)'],
	'duration: never learned': [
		'bulk/firstReads',
		'acceptedAt + this.expectedMs',
		'acceptedAt + firstGuessMs',
	],
	'next read: doubling pauses': [
		'jobs/nextRead',
		'1.05 * perTaskMs * Math.max(1, total - last.processed)',
		'last.at - first.at',
	],
	'same concurrency after failures': ['bulk/health', 'if (this.failuresInARow === 0)', 'if (true)'],
	'no pause after failures': [
		'bulk/health',
		"now + (againAfterMs('run', this.failuresInARow) ?? 0)",
		'-Infinity',
	],
	'order proves nothing': ['jobs/assign', 'orderProof = 40', 'orderProof = Infinity'],
	'nobody is asked about': [
		'bulk/run',
		'await outcomes.askWhoIsThere({ api, clock, show }, meter)',
		'await Promise.resolve()',
	],
	'halves, whatever is quoted': [
		'bulk/divide',
		'const quoted = quotedIn(words);',
		'const quoted = new Set<string>();',
	],
};
