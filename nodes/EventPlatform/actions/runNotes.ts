import { addAll } from '../core/values/collections';
import { FieldNotes } from './fieldNotes';

/** Puts what was noted of single people into sentences. */
type Describe<Note> = (notes: readonly Note[]) => string[];

/** Notes of one kind. */
interface NotesOfKind {
	readonly notes: unknown[];
	/** Describes the notes that were kept until now. */
	hints(): string[];
}

/** Owns what a run tells people beside its output. */
export class RunNotes {
	/** Records which fields were asked for by name, and which of them each record has. */
	readonly fields = new FieldNotes();
	private readonly sentences = new Set<string>();
	/** The notes so far, by the function that describes them. */
	private readonly notesByDescription = new Map<unknown, NotesOfKind>();

	/** Keeps a sentence to be shown. One that comes several times is shown once. */
	hint(sentence: string): void {
		this.sentences.add(sentence);
	}

	/** Keeps notes of one item. At the end `describe` gets those of all items, because its sentences have numbers. */
	note<Note>(describe: Describe<Note>, notes: readonly Note[]): void {
		const notesOfKind = this.notesByDescription.get(describe) ?? startNotes(describe);
		this.notesByDescription.set(describe, notesOfKind);
		addAll(notesOfKind.notes, notes);
	}

	/** Gives all hints that are shown at the end of the run. */
	hints(): string[] {
		const described = [...this.notesByDescription.values()].flatMap(({ hints }) => hints());
		return [...this.sentences, ...described, ...this.fields.hints()];
	}
}

function startNotes<Note>(describe: Describe<Note>): NotesOfKind {
	const notes: Note[] = [];
	return { notes, hints: () => describe(notes) };
}
