import { FieldNotes } from './fieldNotes';

/** Puts what was noted of single people into sentences. */
type Describe<Note> = (notes: readonly Note[]) => string[];

/** Owns what a run tells people beside its output. */
export class RunNotes {
	/** Hears which fields were asked for by name, and of each record which of them it has. */
	readonly fields = new FieldNotes();
	private readonly sentences = new Set<string>();
	/** By the function that describes them, what was noted so far. */
	private readonly noted = new Map<unknown, { hints: () => string[]; notes: unknown[] }>();

	/** Keeps sentences to be shown. A sentence that is said several times is shown once. */
	hint(...sentences: readonly string[]): void {
		for (const sentence of sentences) this.sentences.add(sentence);
	}

	/** Keeps notes of one item. At the end `describe` gets those of all items, because its sentences have numbers. */
	note<Note>(describe: Describe<Note>, ...notes: readonly Note[]): void {
		const all = this.noted.get(describe) ?? startNotes(describe);
		this.noted.set(describe, all);
		all.notes.push(...notes);
	}

	/** Gives all that there is to show at the end of the run. */
	hints(): string[] {
		const noted = [...this.noted.values()].flatMap(({ hints }) => hints());
		return [...this.sentences, ...noted, ...this.fields.hints()];
	}
}

function startNotes<Note>(describe: Describe<Note>) {
	const notes: Note[] = [];
	return { notes, hints: () => describe(notes) };
}
