import type { Failure } from '../client/failure';
import { linesOf, quotationsIn, saysUnknownField } from '../dialect/refusals';
import type { PersonField } from '../people/registration';
import { groupBy } from '../values/collections';
import type { PendingBatch } from './batch';
import type { Plan } from './plan';

/** Every session may have so many divisions, however few people it has. */
const leastDivisions = 100;
/** A session with very many people may have one division for every so many of them. */
const peoplePerDivision = 150;

/** Divides batches that were refused as a whole, as long as that is worth what it costs. */
export class Divider {
	/** The number of divisions that each session may still have. A session that is absent may have all of them. */
	private readonly divisionsLeft = new Map<string, number>();

	constructor(private readonly plan: Plan) {}

	/**
	 * Divides a batch in two: into the people to whom the platform's words point and the others, or those whose values have another type
	 * than the rest, or else into halves. Gives no parts where a division is not worth what it costs.
	 */
	divide(batch: PendingBatch, refusal: Failure): PendingBatch[] {
		const { sessionId, indexes, lostAt } = batch;
		const divisionsLeft = this.divisionsLeft.get(sessionId) ?? this.mostDivisions(sessionId);
		const words = linesOf(refusal.errors);
		if (indexes.length < 2 || divisionsLeft === 0) return [];
		const pointedAt = this.pointedAt(indexes, words);
		// A field that does not exist is refused for each person who has it.
		if (saysUnknownField(words) && this.haveAllQuoted(indexes, words)) return [];
		this.divisionsLeft.set(sessionId, divisionsLeft - 1);
		const half = Math.ceil(indexes.length / 2);
		const halves = [indexes.slice(0, half), indexes.slice(half)];
		const suspects = [pointedAt, this.ofAnotherType(indexes)].find(
			({ length }) => length > 0 && length < indexes.length,
		);
		const unsuspected = indexes.filter((index) => !suspects?.includes(index));
		const parts = suspects ? [unsuspected, suspects] : halves;
		// Where an attempt to send the whole batch may have arrived, its parts may have arrived with it.
		return parts.map((part): PendingBatch => {
			return { sessionId, indexes: part, kind: 'part', lostAt };
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
	private pointedAt(indexes: readonly number[], words: string): number[] {
		const quoted = quotationsIn(words);
		return indexes.filter((index) =>
			this.fieldsOf(index).some(({ id, value }) =>
				[id, value].flat().some((text) => quoted.has(text)),
			),
		);
	}

	/** Whether each of these people has every question that the words quote. */
	private haveAllQuoted(indexes: readonly number[], words: string): boolean {
		const quoted = [...quotationsIn(words)];
		return (
			quoted.length > 0 &&
			indexes.every((index) => {
				const ids = this.fieldsOf(index).map(({ id }) => id);
				return quoted.every((id) => ids.includes(id));
			})
		);
	}

	/** Gives the people who answer a question with a list where most answer it with a text, or the other way round. */
	private ofAnotherType(indexes: readonly number[]): number[] {
		const typesOf = groupBy(
			indexes.flatMap((index) => this.fieldsOf(index).map((field) => ({ index, field }))),
			({ field }) => field.id,
		);
		const rare = [...typesOf.values()].flatMap((answers) => {
			const lists = answers.filter(({ field }) => Array.isArray(field.value));
			const texts = answers.filter(({ field }) => !Array.isArray(field.value));
			return lists.length < texts.length ? lists : texts.length < lists.length ? texts : [];
		});
		const suspects = new Set(rare.map(({ index }) => index));
		return indexes.filter((index) => suspects.has(index));
	}

	private fieldsOf(index: number): readonly PersonField[] {
		return this.plan.people[index]?.registration.fields ?? [];
	}
}
