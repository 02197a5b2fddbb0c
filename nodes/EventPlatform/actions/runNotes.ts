import { addAll } from '../core/values/collections';
import { findCloseName } from '../form/columnNames';
import { columnsOf, usualFields } from '../core/records/columns';
import type { OutputView, PresentedRecord } from './presentRecord';
import { isWithheld, joinLinkColumn } from '../core/values/secrets';

/** Puts what was noted of single people into sentences. */
type Describe<Note> = (notes: readonly Note[]) => string[];

interface NotesOfKind {
	readonly notes: unknown[];
	/** Describes the notes that were kept until now. */
	hints(): string[];
}

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

	hints(): string[] {
		const described = [...this.notesByDescription.values()].flatMap(({ hints }) => hints());
		return [...this.sentences, ...described, ...this.fields.hints()];
	}
}

function startNotes<Note>(describe: Describe<Note>): NotesOfKind {
	const notes: Note[] = [];
	return { notes, hints: () => describe(notes) };
}

/** Notes fields that were asked for by name and are in no record, because such a record shows null, as if the field were empty. */
class FieldNotes {
	private readonly presenceByName = new Map<string, boolean>();
	/** The fields of records that lacked a field that was asked for. */
	private readonly fieldsOfRecords = new Set<string>();

	record({ fields }: PresentedRecord, { simplified }: OutputView): void {
		const names = simplified?.columns;
		// Nobody misses a field by its name where all fields or the usual ones are shown.
		if (fields === undefined || names === undefined || typeof names === 'string') return;
		for (const name of names.filter((chosenName) => chosenName !== usualFields)) {
			const hasField = columnsOf(name, fields) !== undefined;
			this.presenceByName.set(name, hasField || this.presenceByName.get(name) === true);
			if (!hasField) for (const field of fields.keys()) this.fieldsOfRecords.add(field);
		}
	}

	hints(): string[] {
		const missingNames = [...this.presenceByName].flatMap(([name, isPresent]) =>
			isPresent ? [] : name,
		);
		return missingNames.map((name) => {
			if (isWithheld(name)) {
				return `The field '${name}' is withheld on purpose, because it logs a person in. Without 'Simplify' the records have it as the platform sends it.`;
			}
			if (name === joinLinkColumn) {
				return "The field 'join_link' is returned only with the option 'Include Join Link', because anybody who has the link can enter as that person.";
			}
			const nearest = findCloseName(name, [...this.fieldsOfRecords]);
			const question = nearest === undefined ? '' : ` Did you mean '${nearest}'?`;
			return `No record has the field '${name}', so its column is empty.${question}`;
		});
	}
}
