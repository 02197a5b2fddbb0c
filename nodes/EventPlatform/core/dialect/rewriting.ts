import { quote, text } from '../values/text';
import type { Json } from '../values/json';

/** A value that the platform was asked to change. */
interface SentValue {
	/** The ID of the question, or the name of the value. */
	field: string;
	/** The value before. */
	old: Json;
	/** The value that was sent. */
	new: Json;
}

/** The habits of the platform with one field, as updates of a run have shown them. */
interface FieldHabits {
	/** The value that the platform made of a value, by the value that was sent. */
	became: Map<string, string>;
	/** The different texts that were left of longer ones, by the number of their characters. */
	textsOfLength: Map<number, Set<string>>;
	/** The lengths at which an update has certainly cut a text, because the text was another one before. */
	cutAt: Set<number>;
	/** The length of the longest text that the platform has kept. */
	longestKept: number;
}

/** The shortest limit that is believed: several shorter texts may have the same length by chance. */
const shortestCut = 20;
/**
 * So many different texts of one length show a limit. Each single update may have been ignored, but it is no chance that the texts
 * are equally long.
 */
const textsForCertainty = 2;

/**
 * Owns what the updates of this run have shown of how the platform rewrites values. A value that would only become what it is
 * already is not sent. An update that the platform has ignored must not teach anything: a value counts as rewritten
 * only where the update has turned it into another one than before, or where several different texts end at the same length.
 */
export class Rewriting {
	private readonly fields = new Map<string, FieldHabits>();

	/** Records what the platform shows after it has accepted a change. */
	record({ field, old, new: changed }: SentValue, current: Json): void {
		const habits = this.habitsOf(field);
		const oldText = comparableText(old);
		const sentText = comparableText(changed);
		const keptText = comparableText(current);
		habits.longestKept = Math.max(habits.longestKept, lengthOf(keptText));
		const hasChanged = keptText !== oldText;
		if (keptText === sentText) return;
		if (hasChanged) habits.became.set(sentText, keptText);
		const keptLength = charactersLeft(keptText, sentText);
		if (keptLength === undefined) return;
		if (hasChanged) habits.cutAt.add(keptLength);
		habits.textsOfLength.set(
			keptLength,
			(habits.textsOfLength.get(keptLength) ?? new Set()).add(keptText),
		);
	}

	/** Describes why a change would leave the value as it is; undefined where it has to be sent. */
	describeUselessChange({ field, old, new: changed }: SentValue): string | undefined {
		const habits = this.fields.get(field);
		const currentText = comparableText(old);
		const desiredText = comparableText(changed);
		if (!habits) return undefined;
		if (habits.became.get(desiredText) === currentText) {
			return `The platform turns ${quote(desiredText)} into ${quote(currentText)} in '${field}', as an update of this run has shown.`;
		}
		const keptLength = charactersLeft(currentText, desiredText);
		if (keptLength === undefined || !isLimit(keptLength, habits)) return undefined;
		return `The platform keeps ${keptLength} characters of '${field}', as updates of this run have shown.`;
	}

	/** Gives how many characters of a field the platform keeps; undefined where no update has shown a limit. */
	limitOf(field: string): number | undefined {
		const habits = this.fields.get(field);
		return habits && [...habits.textsOfLength.keys()].find((length) => isLimit(length, habits));
	}

	private habitsOf(field: string): FieldHabits {
		const habits = this.fields.get(field) ?? {
			became: new Map<string, string>(),
			textsOfLength: new Map<number, Set<string>>(),
			cutAt: new Set<number>(),
			longestKept: 0,
		};
		this.fields.set(field, habits);
		return habits;
	}
}

/** Whether updates have shown that the platform keeps no more characters than this. */
function isLimit(length: number, { textsOfLength, cutAt, longestKept }: FieldHabits): boolean {
	if (longestKept > length) return false;
	const texts = textsOfLength.get(length)?.size ?? 0;
	return cutAt.has(length) || (length >= shortestCut && texts >= textsForCertainty);
}

/** Counts the characters that are left of a longer text, with the ellipsis at the end; undefined where the current text is not its beginning. */
function charactersLeft(current: string, sent: string): number | undefined {
	const beginning = current.replace(/ ?(?:…|\.{3})$/, '');
	const isCut = beginning !== '' && beginning.length < sent.length && sent.startsWith(beginning);
	return isCut ? lengthOf(current) : undefined;
}

/** Counts characters as people do: an emoji is one. */
function lengthOf(value: string): number {
	return [...value].length;
}

/** Writes a value as a text to compare. Several answers become JSON, so that no text is the beginning of them. */
function comparableText(value: Json): string {
	const texts = [value].flat().map(text);
	return texts.length === 1 ? (texts[0] ?? '') : JSON.stringify(texts);
}
