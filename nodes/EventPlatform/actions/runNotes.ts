import { FieldNotes } from './fieldNotes';

/** Owns what a run tells people beside its output. */
export class RunNotes {
	/** Hears which fields were asked for by name, and of each record which of them it has. */
	readonly fields = new FieldNotes();
	private readonly said = new Set<string>();

	/** Keeps sentences to be shown. A sentence that is said several times is shown once. */
	hint(...sentences: readonly string[]): void {
		for (const sentence of sentences) this.said.add(sentence);
	}

	/** Gives all that there is to show at the end of the run. */
	hints(): string[] {
		return [...this.said, ...this.fields.hints()];
	}
}
