import { text } from '../core/http/text';
import type { PersonField } from '../core/jobs/task';
import type { Fields } from '../core/records/simplify';
import { closeTo, type FormField } from './formField';
import type { MappedPerson } from './personFields';

/** What there is to tell of the people of a run beside what became of them. */
export class FormNotes {
	private readonly leftOut = new Set<string>();
	/** The labels of the form → whether somebody answered it. */
	private readonly asked = new Map<string, boolean>();
	/** A required question → the people who do not answer it, by their place in the input. */
	private readonly unanswered = new Map<string, number[]>();
	/** A session → the columns of the registrations that came back. */
	private readonly cameBack = new Map<string, Set<string>>();
	private form: readonly FormField[] = [];

	add(place: number, person: MappedPerson, form: readonly FormField[] = []): void {
		this.form = form;
		for (const name of person.ignored) this.leftOut.add(name);
		if (person.ignored.length > 0) {
			for (const { id, label } of form) {
				const isAnswered = person.fields.some((field) => field.id === id);
				this.asked.set(label, isAnswered || this.asked.get(label) === true);
			}
		}
		for (const label of person.unanswered) {
			const places = this.unanswered.get(label);
			if (places) places.push(place);
			else this.unanswered.set(label, [place]);
		}
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
		const people = new Map<string, number>();
		for (const { sessionId, fields } of registered) {
			const kept = this.cameBack.get(sessionId);
			for (const { id } of kept ? fields : []) {
				if (kept?.has(id) || kept?.has(`${id}_answer`)) continue;
				people.set(id, (people.get(id) ?? 0) + 1);
			}
		}
		if (people.size === 0) return [];
		const labels = new Map(this.form.map(({ id, label }) => [id, label]));
		const dropped = [...people].map(([id, count]) => counted(labels.get(id) ?? id, count));
		return [
			`Sent, but not kept by the platform: ${dropped.join(', ')}. The registration form of the session does not seem to ask for it.`,
		];
	}

	/** Of those who were really registered. */
	withoutAnswer(isRegistered: (place: number) => boolean = () => true): string[] {
		const missed = [...this.unanswered].flatMap(([label, places]) => {
			const count = places.filter(isRegistered).length;
			return count === 0 ? [] : counted(label, count);
		});
		if (missed.length === 0) return [];
		return [`Registered without answers that the form requires: ${missed.join(', ')}.`];
	}
}

function counted(label: string, people: number): string {
	return `'${label}'${people > 1 ? ` (${people} people)` : ''}`;
}
