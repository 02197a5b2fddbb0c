import { groupBy } from '../core/http/collections';
import { text } from '../core/http/json';
import type { PersonField } from '../core/jobs/task';
import type { Fields } from '../core/records/simplify';
import { closeTo, type FormField } from './formField';
import type { MappedPerson } from './personFields';

/** What there is to tell of the people of a run beside what became of them. */
export class FormNotes {
	private readonly leftOut = new Set<string>();
	/** The labels of the form → whether somebody answered it. */
	private readonly asked = new Map<string, boolean>();
	private readonly unanswered: Array<{ label: string; place: number }> = [];
	/** A session → the columns of the registrations that came back. */
	private readonly cameBack = new Map<string, Set<string>>();
	private form: readonly FormField[] = [];

	/** `place`: of the person in the input. */
	add(place: number, person: MappedPerson, form: readonly FormField[] = []): void {
		this.form = form;
		for (const name of person.ignored) this.leftOut.add(name);
		for (const { id, label } of person.ignored.length > 0 ? form : []) {
			const isAnswered = person.fields.some((field) => field.id === id);
			this.asked.set(label, isAnswered || this.asked.get(label) === true);
		}
		for (const label of person.unanswered) this.unanswered.push({ label, place });
	}

	/** Values that no question takes. */
	notAsked(): string[] {
		if (this.leftOut.size === 0) return [];
		const open = [...this.asked].flatMap(([label, isAnswered]) => (isAnswered ? [] : label));
		const columns = [...this.leftOut].map((name) => {
			const meant = closeTo(name, open);
			return meant === undefined ? `'${name}'` : `'${name}' (did you mean '${meant}'?)`;
		});
		const questions = [...this.asked.keys()].map((label) => `'${label}'`);
		return [
			`Not on the registration form and therefore ignored: ${columns.join(', ')}. It asks for ${questions.join(', ')}.`,
		];
	}

	/** The platform has shown a registration, with the answers that it keeps. */
	hear(registration: Fields): void {
		if (registration.answers === undefined) return;
		const session = text(registration.get('session_id'));
		const columns = this.cameBack.get(session) ?? new Set();
		this.cameBack.set(session, columns);
		for (const name of registration.keys()) columns.add(name);
	}

	/** Answers of people whose registration came back, and no registration of their session has them. */
	notKept(
		registered: ReadonlyArray<{ sessionId: string; fields: readonly PersonField[] }>,
	): string[] {
		const dropped = registered.flatMap(({ sessionId, fields }) => {
			const kept = this.cameBack.get(sessionId);
			const isKept = (id: string) => !kept || kept.has(id) || kept.has(`${id}_answer`);
			return fields.map(({ id }) => id).filter((id) => !isKept(id));
		});
		if (dropped.length === 0) return [];
		const labels = new Map(this.form.map(({ id, label }) => [id, label]));
		return [
			`Sent, but not kept by the platform: ${counted(dropped, (id) => labels.get(id) ?? id)}. The registration form of the session does not seem to ask for it.`,
		];
	}

	/** Of those who were really registered. */
	withoutAnswer(isRegistered: (place: number) => boolean = () => true): string[] {
		const missed = this.unanswered.filter(({ place }) => isRegistered(place));
		if (missed.length === 0) return [];
		const labels = counted(missed.map(({ label }) => label));
		return [`Registered without answers that the form requires: ${labels}.`];
	}
}

/** Each once, with the number of people where there are several. */
function counted(questions: string[], labelOf = (question: string) => question): string {
	const groups = [...groupBy(questions, (question) => question)].map(([question, { length }]) => {
		return `'${labelOf(question)}'${length > 1 ? ` (${length} people)` : ''}`;
	});
	return groups.join(', ');
}
