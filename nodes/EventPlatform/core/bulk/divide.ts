import type { Failure } from '../client/failure';
import { linesOf, quotationsIn, saysUnknownField } from '../dialect/refusals';
import type { PendingBatch } from './batch';
import type { Mechanism } from './mechanism';
import type { Plan } from './plan';

/** Divides batches that were refused as a whole, as long as that is worth what it costs. */
export class Divider {
	/** How many more divisions are worth it, by session. */
	private readonly divisionsLeft = new Map<string, number>();
	/** How many parts were refused in the words of the whole, by session and words. */
	private readonly refusedLikeTheWhole = new Map<string, number>();
	/** Sessions and words that are about what everyone in a part has, so dividing finds nobody. */
	private readonly indivisible = new Set<string>();

	constructor(
		private readonly plan: Plan,
		private readonly without?: Mechanism,
	) {}

	/** Gives two parts: the people to whom the platform's words point and the others, else two halves. Gives none where it is not worth it. */
	divide(batch: PendingBatch, refusal: Failure): PendingBatch[] {
		const { sessionId, indexes, lostAt } = batch;
		const left = this.divisionsLeft.get(sessionId) ?? this.mostDivisions(sessionId);
		const words = linesOf(refusal.errors);
		if (indexes.length < 2 || left === 0) return [];
		if (this.indivisible.has(keyOf(sessionId, words))) return [];
		const suspects = this.suspectsOf(indexes, words);
		const unsuspected = indexes.filter((index) => !suspects.includes(index));
		if (unsuspected.length === 0 && this.isAboutEverybody(batch, words)) return [];
		this.divisionsLeft.set(sessionId, left - 1);
		const half = Math.ceil(indexes.length / 2);
		const halves = [indexes.slice(0, half), indexes.slice(half)];
		const parts = suspects.length > 0 && unsuspected.length > 0 ? [unsuspected, suspects] : halves;
		// An attempt of the whole that may have arrived has brought its parts with it.
		return parts.map((part): PendingBatch => {
			return { sessionId, indexes: part, kind: 'part', lostAt, refusedAs: words };
		});
	}

	/**
	 * A division costs at most three requests: two to send the parts, one to read what was accepted. So bad rows cost at most
	 * 300 requests, or half as many as the session; one full request of bad rows only needs 98.
	 */
	private mostDivisions(sessionId: string): number {
		const batches = this.plan.batches.filter((batch) => batch.sessionId === sessionId);
		return Math.max(100, Math.floor(batches.flatMap(({ indexes }) => indexes).length / 150));
	}

	/** Gives the people who have a question or an answer that the words quote. */
	private suspectsOf(indexes: readonly number[], words: string): number[] {
		const quoted = this.without === 'quotedSuspects' ? new Set<string>() : quotationsIn(words);
		return indexes.filter((index) => {
			const fields = this.plan.people[index]?.registration.fields ?? [];
			return fields.some(({ id, value }) => [id, value].flat().some((text) => quoted.has(text)));
		});
	}

	/** Decides, and remembers, whether a refusal that points to everybody would only be repeated for the parts. */
	private isAboutEverybody({ sessionId, refusedAs }: PendingBatch, words: string): boolean {
		const key = keyOf(sessionId, words);
		// A half that is refused like the whole may hold the bad row. Where two are, dividing finds nobody.
		const refused = (this.refusedLikeTheWhole.get(key) ?? 0) + (refusedAs === words ? 1 : 0);
		this.refusedLikeTheWhole.set(key, refused);
		if (refused < 2 && !saysUnknownField(words)) return false;
		this.indivisible.add(key);
		return true;
	}
}

function keyOf(sessionId: string, words: string): string {
	return `${sessionId} ${words}`;
}
