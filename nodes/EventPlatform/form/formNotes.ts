import type { FormField } from './formField';
import type { MappedPerson } from './personFields';

/** What there is to tell of the people of a run beside what became of them. */
export class FormNotes {
	private readonly leftOut = new Set<string>();
	private readonly asked = new Set<string>();
	private readonly unanswered = new Map<string, number>();

	add(person: MappedPerson, form: readonly FormField[] = []): void {
		for (const name of person.ignored) this.leftOut.add(name);
		if (person.ignored.length > 0) for (const { label } of form) this.asked.add(label);
		if (person.problems.length > 0) return;
		for (const label of person.unanswered) {
			this.unanswered.set(label, (this.unanswered.get(label) ?? 0) + 1);
		}
	}

	get hints(): string[] {
		return [this.withoutAnswer(), this.notAsked()].filter((hint) => hint !== undefined);
	}

	private withoutAnswer(): string | undefined {
		const labels = [...this.unanswered].map(([label, people]) =>
			people > 1 ? `'${label}' (${people} people)` : `'${label}'`,
		);
		if (labels.length === 0) return undefined;
		const [are, them] = labels.length > 1 ? ['are', 'them'] : ['is', 'it'];
		return `${labels.join(', ')} ${are} required on the form; registering without ${them}.`;
	}

	private notAsked(): string | undefined {
		if (this.leftOut.size === 0) return undefined;
		return `Not on the registration form, so left out: ${named(this.leftOut)}. It asks for ${named(this.asked)}.`;
	}
}

function named(names: Iterable<string>): string {
	return [...names].map((name) => `'${name}'`).join(', ');
}

/** The same of one person. */
export function hintNotes(
	{ hint }: { hint(message: string): void },
	person: MappedPerson,
	form?: readonly FormField[],
): void {
	const notes = new FormNotes();
	notes.add(person, form);
	notes.hints.forEach(hint);
}
