/** A mechanism of the core that a benchmark takes away: a text of one of its files, and what it becomes. */
export type Change = [file: string, text: string, into: string];

export const ofBulk: Readonly<Record<string, Change>> = {
	'open jobs: 40': ['bulk/run', 'mostOpen = 300', 'mostOpen = 40'],
	'no ramp of first reads': ['bulk/job', 'Math.max(this.inTime, 0) + 2)', 'Infinity)'],
	'no hold of first reads': ['bulk/job', 'if (this.inTime < -1)', 'if (false)'],
	'duration: never learned': [
		'bulk/job',
		'acceptedAt + this.expectedMs',
		'acceptedAt + firstGuessMs',
	],
	'next read: doubling pauses': [
		'jobs/jobState',
		'1.05 * perTaskMs * Math.max(1, total - last.processed)',
		'last.at - first.at',
	],
	'same concurrency after failures': ['bulk/turns', 'if (this.failuresInARow === 0)', 'if (true)'],
	'no pause after failures': [
		'bulk/turns',
		"now + (againAfterMs('run', this.failuresInARow) ?? 0)",
		'-Infinity',
	],
	'order proves nothing': ['bulk/assign', 'orderProof = 40', 'orderProof = Infinity'],
	'nobody is asked about': [
		'bulk/run',
		'await outcomes.askWhoIsThere({ api, clock, show }, meter)',
		'await Promise.resolve()',
	],
	'halves, whatever is quoted': [
		'bulk/plan',
		'const quoted = quotedIn(words);',
		'const quoted = new Set<string>();',
	],
};

const inLimit = (text: string, into: string): Change => ['pace/limit', text, into];

export const ofPace: Readonly<Record<string, Change>> = {
	'no place left unused at an exchange': inLimit('if (isBefore ||', 'if (true ||'),
	'claims at any moment': inLimit(
		'claimAt: nextExchange(now)',
		'claimAt: now + exchangeEveryMs * random()',
	),
	'no order of claims': inLimit('(Math.min(places, 2) + random() / 2)', '(1 + random())'),
	'no exchange left out after refusals': inLimit('Math.min(refusedClaims, mostSkipped)', '0'),
	'a first place ends the waiting': inLimit('limit.places > 0 ? 0 : limit.refusedClaims', '0'),
	'every exchange, also with all places': inLimit('% fullEvery === 0', '% 1 === 0'),
	'late answers mean nothing': inLimit('? tookMs - ms : 0', '? 0 : 0'),
	'the first requests are like others': inLimit('use.isFirst ? now :', 'false ? now :'),
	'the same room for every line': inLimit('usual ? 4 * usual.deviationMs : Infinity', 'Infinity'),
	'no more room after a refusal': inLimit('lacksPlaces(limit) ? 0 : addedRoomMs', '0'),
};
