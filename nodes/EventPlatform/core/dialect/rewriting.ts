import { quote, text } from '../values/text';
import type { Json } from '../values/json';

/** A value that the platform was asked to change. */
interface SentValue {
	field: string;
	/** The value before. */
	old: Json;
	/** The value that was sent. */
	new: Json;
}

/** The habits of the platform with one field, as updates of a run have shown them. */
interface FieldHabits {
	/** A value that was sent, as JSON → the value that the platform turned it into. */
	became: Map<string, string>;
	/** How many characters were left of a longer text → the different texts of which so many were left. */
	leftOf: Map<number, Set<string>>;
	/** Lengths at which an update has certainly cut a text, because the text was another one before. */
	cutAt: Set<number>;
	/** The length of the longest text that the platform has kept. */
	longestKept: number;
}

/** Several shorter texts may have the same length by chance. */
const shortestCut = 20;
/** Each may have been ignored by the platform; that two different texts are equally long by then is no chance. */
const textsForCertainty = 2;

/**
 * How the platform rewrites what it is sent, as the updates of this run have shown. Somebody whose value would only become
 * what it is already is not sent. An update that the platform has ignored must not teach anything: a value counts as rewritten
 * only where the update has turned it into another one than before, or where several different texts end at the same length.
 */
export class Rewriting {
	private readonly fields = new Map<string, FieldHabits>();

	/** Records what the platform shows after it has accepted a change. */
	record({ field, old, new: changed }: SentValue, answered: Json): void {
		const seen = this.habitsOf(field);
		const [before, sent, after] = [oneText(old), oneText(changed), oneText(answered)];
		seen.longestKept = Math.max(seen.longestKept, lengthOf(after));
		const hasChanged = after !== before;
		if (after === sent) return;
		if (hasChanged) seen.became.set(sent, after);
		const left = charactersLeft(after, sent);
		if (left === undefined) return;
		if (hasChanged) seen.cutAt.add(left);
		seen.leftOf.set(left, (seen.leftOf.get(left) ?? new Set()).add(after));
	}

	/** Why a change would leave the value as it is, in a sentence; undefined where it has to be sent. */
	describeUselessChange({ field, old, new: changed }: SentValue): string | undefined {
		const seen = this.fields.get(field);
		const [is, sent] = [oneText(old), oneText(changed)];
		if (!seen) return undefined;
		if (seen.became.get(sent) === is) {
			return `The platform turns ${quote(sent)} into ${quote(is)} in '${field}', as an update of this run has shown.`;
		}
		const left = charactersLeft(is, sent);
		if (left === undefined || !isLimit(left, seen)) return undefined;
		return `The platform keeps ${left} characters of '${field}', as updates of this run have shown.`;
	}

	/** How many characters of a field the platform keeps; undefined where no update has shown a limit. */
	limitOf(field: string): number | undefined {
		const seen = this.fields.get(field);
		return seen && [...seen.leftOf.keys()].find((length) => isLimit(length, seen));
	}

	private habitsOf(field: string): FieldHabits {
		const seen = this.fields.get(field) ?? {
			became: new Map<string, string>(),
			leftOf: new Map<number, Set<string>>(),
			cutAt: new Set<number>(),
			longestKept: 0,
		};
		this.fields.set(field, seen);
		return seen;
	}
}

function isLimit(length: number, { leftOf, cutAt, longestKept }: FieldHabits): boolean {
	if (longestKept > length) return false;
	const texts = leftOf.get(length)?.size ?? 0;
	return cutAt.has(length) || (length >= shortestCut && texts >= textsForCertainty);
}

/** How many characters the platform answers of a longer text, an ellipsis at the end included; undefined: it is not its beginning. */
function charactersLeft(answered: string, sent: string): number | undefined {
	const beginning = answered.replace(/ ?(?:…|\.{3})$/, '');
	const isCut = beginning !== '' && beginning.length < sent.length && sent.startsWith(beginning);
	return isCut ? lengthOf(answered) : undefined;
}

/** As people count them: an emoji is one. */
function lengthOf(value: string): number {
	return [...value].length;
}

/** A value as it is compared; several answers as JSON, of which no text is the beginning. */
function oneText(value: Json): string {
	const texts = [value].flat().map(text);
	return texts.length === 1 ? (texts[0] ?? '') : JSON.stringify(texts);
}
