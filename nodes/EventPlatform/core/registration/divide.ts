import type { Failure } from '../client/failure';
import { linesOf, quotationsIn, saysUnknownField } from '../dialect/refusals';
import { groupBy } from '../values/collections';
import type { PendingBatch, Batch, Candidate } from './candidate';

const leastDivisions = 100;
/** A session with very many people may have one division for every so many of them. */
const peoplePerDivision = 150;

export class Divider {
	/** The number of divisions that each session may still have. A session that is absent may have all of them. */
	private readonly divisionsLeft = new Map<string, number>();

	constructor(private readonly batches: readonly Batch[]) {}

	/**
	 * Divides a batch in two: into the people to whom the platform's words point and the others, or those whose values have another type
	 * than the rest, or else into halves. Gives no parts where a division is not worth what it costs.
	 */
	divide(batch: PendingBatch, refusal: Failure): PendingBatch[] {
		const { sessionId, people, lostAt } = batch;
		const divisionsLeft = this.divisionsLeft.get(sessionId) ?? this.mostDivisions(sessionId);
		const words = linesOf(refusal.errors);
		if (people.length < 2 || divisionsLeft === 0) return [];
		const quoted = pointedAt(people, words);
		// A field that does not exist is refused for each person who has it.
		if (saysUnknownField(words) && haveAllQuoted(people, words)) return [];
		this.divisionsLeft.set(sessionId, divisionsLeft - 1);
		const half = Math.ceil(people.length / 2);
		const halves = [people.slice(0, half), people.slice(half)];
		const suspects = [quoted, ofAnotherType(people)].find(
			({ length }) => length > 0 && length < people.length,
		);
		const unsuspected = people.filter((person) => !suspects?.includes(person));
		const parts = suspects ? [unsuspected, suspects] : halves;
		// Where an attempt to send the whole batch may have arrived, its parts may have arrived with it.
		return parts.map((part): PendingBatch => {
			return { sessionId, people: part, kind: 'part', lostAt };
		});
	}

	/**
	 * Gives the number of divisions that a session may have. A division costs at most three requests: two send the parts, and one
	 * reads what was accepted. So bad rows cost at most 300 requests, or half as many as the session itself. A full batch in which
	 * every row is bad needs 98.
	 */
	private mostDivisions(sessionId: string): number {
		const batches = this.batches.filter((batch) => batch.sessionId === sessionId);
		const count = batches.reduce((sum, { people }) => sum + people.length, 0);
		return Math.max(leastDivisions, Math.floor(count / peoplePerDivision));
	}
}

function pointedAt(people: readonly Candidate[], words: string): Candidate[] {
	const quoted = quotationsIn(words);
	return people.filter(({ row }) =>
		row.registration.fields.some(({ id, value }) =>
			[id, value].flat().some((text) => quoted.has(text)),
		),
	);
}

function haveAllQuoted(people: readonly Candidate[], words: string): boolean {
	const quoted = [...quotationsIn(words)];
	return (
		quoted.length > 0 &&
		people.every(({ row }) => {
			const ids = row.registration.fields.map(({ id }) => id);
			return quoted.every((id) => ids.includes(id));
		})
	);
}

function ofAnotherType(people: readonly Candidate[]): Candidate[] {
	const answers = people.flatMap((person) =>
		person.row.registration.fields.map((field) => ({ person, field })),
	);
	const rare = [...groupBy(answers, ({ field }) => field.id).values()].flatMap((ofQuestion) => {
		const lists = ofQuestion.filter(({ field }) => Array.isArray(field.value));
		const texts = ofQuestion.filter(({ field }) => !Array.isArray(field.value));
		return lists.length < texts.length ? lists : texts.length < lists.length ? texts : [];
	});
	const suspects = new Set(rare.map(({ person }) => person));
	return people.filter((person) => suspects.has(person));
}
