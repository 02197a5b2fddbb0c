import type { Failure } from '../client/failure';
import type { Plan } from './plan';
import type { PendingBatch } from './batch';
import type { Mechanism } from './mechanism';

/** Divides requests that were refused as a whole, as long as that is worth what it costs. */
export function createDivider({ people: candidates, batches: chunks }: Plan, without?: Mechanism) {
	const splitsLeft = new Map<string, number>();
	/** By session and words that name what everyone in a part has: parts refused in the words of the whole. */
	const refusedAgain = new Map<string, number>();

	// A split costs at most three requests: two to send its parts, one to read what was accepted. So bad rows
	// cost at most 300 requests, or half as many as the session; one full request of bad rows only needs 98.
	function mostSplits(sessionId: string): number {
		const own = chunks.filter((chunk) => chunk.sessionId === sessionId);
		return Math.max(100, Math.floor(own.flatMap(({ people }) => people).length / 150));
	}

	/** Those whom the platform's words point to and the others, or two halves; empty where it is not worth it. */
	return (
		{ sessionId, people, lostAt, refusedAs }: PendingBatch,
		refusal: Failure,
	): PendingBatch[] => {
		const left = splitsLeft.get(sessionId) ?? mostSplits(sessionId);
		const words = wordsOf(refusal);
		const key = `${sessionId} ${words}`;
		let refused = refusedAgain.get(key) ?? 0;
		if (people.length < 2 || refused > 1 || left === 0) return [];
		const quoted = without === 'quotedSuspects' ? new Set() : quotedIn(words);
		const suspects = people.filter((index) => {
			const fields = candidates[index]?.registration.fields ?? [];
			return fields.some(({ id, value }) => [id, value].flat().some((one) => quoted.has(one)));
		});
		const others = people.filter((index) => !suspects.includes(index));
		if (others.length === 0) {
			// One half refused like the whole may hold the bad row; two do not divide anything.
			refused += refusedAs === words ? 1 : 0;
			if (doesNotExist.test(words)) refused = 2;
			refusedAgain.set(key, refused);
			if (refused > 1) return [];
		}
		splitsLeft.set(sessionId, left - 1);
		const half = Math.ceil(people.length / 2);
		const halves = [people.slice(0, half), people.slice(half)];
		const parts = suspects.length > 0 && others.length > 0 ? [others, suspects] : halves;
		// What is in doubt about the whole is in doubt about its parts.
		return parts.map((some) => {
			return { sessionId, people: some, kind: 'part', lostAt, refusedAs: words };
		});
	};
}

/** A field that does not exist is refused for each person who has it. */
const doesNotExist = /\b(?:exist|unknown|unrecogni[sz]ed|unsupported|no such)\b/i;

/** One line for each error, in which its quotation marks belong together. */
function wordsOf({ errors }: Failure): string {
	return errors.map(({ code, title, detail }) => [code, title, detail].join(' ')).join('\n');
}

function quotedIn(words: string): Set<string | undefined> {
	return new Set([...words.matchAll(/['"`]([^'"`\n]+)['"`]/g)].map(([, inner]) => inner));
}
