import type { FormField } from './formField';
import { closeTo } from './headers';
import type { MappedPerson } from './personFields';

/** What there is to tell of the people of a run beside what became of them. */
export class FormNotes {
	private readonly leftOut = new Set<string>();
	/** The labels of the form → whether somebody answered it. */
	private readonly asked = new Map<string, boolean>();
	/** A required question → the people who do not answer it, by their place in the input. */
	private readonly unanswered = new Map<string, number[]>();

	add(place: number, person: MappedPerson, form: readonly FormField[] = []): void {
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
			`Not on the registration form, so left out: ${columns.join(', ')}. It asks for ${questions.join(', ')}.`,
		];
	}

	/** Of those who were really registered. */
	withoutAnswer(isRegistered: (place: number) => boolean = () => true): string[] {
		const counted = [...this.unanswered].flatMap(([label, places]) => {
			const count = places.filter(isRegistered).length;
			return count === 0 ? [] : `'${label}'${count > 1 ? ` (${count} people)` : ''}`;
		});
		if (counted.length === 0) return [];
		return [`Registered without answers that the form requires: ${counted.join(', ')}.`];
	}
}
