import type { Failure } from '../client/failure';
import { linesOf, quotationsIn, saysUnknownField } from '../dialect/refusals';
import type { PendingBatch } from './batch';
import type { Mechanism } from './mechanism';
import type { Plan } from './plan';

/** Every session may have so many divisions, however few people it has. */
const leastDivisions = 100;
/** A session with very many people may have one division for every so many of them. */
const peoplePerDivision = 150;
/** Where so many parts were refused in the words of the whole, the words are about something that everybody has. */
const refusalsAboutEverybody = 2;

/** Divides batches that were refused as a whole, as long as that is worth what it costs. */
export class Divider {
	/** The number of divisions that each session may still have. A session that is absent may have all of them. */
	private readonly divisionsLeft = new Map<string, number>();
	/** The number of parts that were refused in the words of the whole, by session and words. */
	private readonly refusedLikeTheWhole = new Map<string, number>();
	/** Sessions and words that are about something that everybody in a batch has, so that dividing would find nobody. */
	private readonly indivisible = new Set<string>();

	constructor(
		private readonly plan: Plan,
		private readonly disabled?: Mechanism,
	) {}

	/**
	 * Divides a batch in two: into the people to whom the platform's words point and the others, or else into halves. Gives no
	 * parts where a division is not worth what it costs.
	 */
	divide(batch: PendingBatch, refusal: Failure): PendingBatch[] {
		const { sessionId, indexes, lostAt } = batch;
		const divisionsLeft = this.divisionsLeft.get(sessionId) ?? this.mostDivisions(sessionId);
		const words = linesOf(refusal.errors);
		if (indexes.length < 2 || divisionsLeft === 0) return [];
		if (this.indivisible.has(keyOf(sessionId, words))) return [];
		const suspects = this.suspectsOf(indexes, words);
		const unsuspected = indexes.filter((index) => !suspects.includes(index));
		if (unsuspected.length === 0 && this.isAboutEverybody(batch, words)) return [];
		this.divisionsLeft.set(sessionId, divisionsLeft - 1);
		const half = Math.ceil(indexes.length / 2);
		const halves = [indexes.slice(0, half), indexes.slice(half)];
		const parts = suspects.length > 0 && unsuspected.length > 0 ? [unsuspected, suspects] : halves;
		// Where an attempt to send the whole batch may have arrived, its parts may have arrived with it.
		return parts.map((part): PendingBatch => {
			return { sessionId, indexes: part, kind: 'part', lostAt, refusedAs: words };
		});
	}

	/**
	 * Gives the number of divisions that a session may have. A division costs at most three requests: two send the parts, and one
	 * reads what was accepted. So bad rows cost at most 300 requests, or half as many as the session itself. A full batch in which
	 * every row is bad needs 98.
	 */
	private mostDivisions(sessionId: string): number {
		const batches = this.plan.batches.filter((batch) => batch.sessionId === sessionId);
		const people = batches.flatMap(({ indexes }) => indexes);
		return Math.max(leastDivisions, Math.floor(people.length / peoplePerDivision));
	}

	/** Gives the people who have a question or an answer that the words quote. */
	private suspectsOf(indexes: readonly number[], words: string): number[] {
		const quoted = this.disabled === 'quotedSuspects' ? new Set<string>() : quotationsIn(words);
		return indexes.filter((index) => {
			const fields = this.plan.people[index]?.registration.fields ?? [];
			return fields.some(({ id, value }) => [id, value].flat().some((text) => quoted.has(text)));
		});
	}

	/** Decides, and remembers, whether a refusal that points to everybody would only be repeated for the parts. */
	private isAboutEverybody({ sessionId, refusedAs }: PendingBatch, words: string): boolean {
		const key = keyOf(sessionId, words);
		// A half that is refused like the whole may hold the bad row. Where two are, dividing finds nobody.
		const refusedParts = (this.refusedLikeTheWhole.get(key) ?? 0) + (refusedAs === words ? 1 : 0);
		this.refusedLikeTheWhole.set(key, refusedParts);
		if (refusedParts < refusalsAboutEverybody && !saysUnknownField(words)) return false;
		this.indivisible.add(key);
		return true;
	}
}

/** Gives the key under which a session and the words of a refusal are remembered. */
function keyOf(sessionId: string, words: string): string {
	return `${sessionId} ${words}`;
}
