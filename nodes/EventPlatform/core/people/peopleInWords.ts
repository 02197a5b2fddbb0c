import { countOf, excerpt, text, thousands } from '../values/text';
import type { JsonObject } from '../values/json';
import type { Row } from './registration';

/** A name is cut off here, which leaves most names whole and fits into a line. */
const mostNameCharacters = 100;
const mostNamedInHint = 3;

export function nameOfPerson(
	row?: Pick<Row, 'registration'>,
	person: JsonObject = {},
): string | undefined {
	const names = ['first_name', 'last_name'].map((id) => {
		const sentName = row?.registration.fields.find((field) => field.id === id)?.value;
		return excerpt(text(sentName ?? person[id]), mostNameCharacters).trim();
	});
	return names.join(' ').trim() || undefined;
}

/** Names a person in a sentence: by the name, else by the address; undefined where there is neither. */
export function nameOrAddressOf(row: Row): string | undefined {
	return nameOfPerson(row) ?? (excerpt(row.email, mostNameCharacters) || undefined);
}

/**
 * Counts people in words: "1 person", "1,204 people"; with names "3 people (Ada Lovelace, Alan Turing, Grace Hopper)". Of more people it names
 * the first three.
 */
export function peopleInWords(
	count: number,
	names: ReadonlyArray<string | undefined> = [],
): string {
	const people = countOf(count, 'person', 'people');
	const named = names.filter((name) => name !== undefined).slice(0, mostNamedInHint);
	if (named.length === 0) return people;
	const more = count > named.length ? ', …' : '';
	return `${people} (${named.join(', ')}${more})`;
}

/** Joins the first of these texts, and counts the rest: "a, b and 1,204 more". */
export function joinFirst(texts: ReadonlyArray<string | undefined>, most: number): string {
	const more = texts.length > most ? ` and ${thousands(texts.length - most)} more` : '';
	return `${texts.slice(0, most).join(', ')}${more}`;
}
