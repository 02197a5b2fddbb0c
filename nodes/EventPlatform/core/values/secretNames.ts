/* This file has the names of what logs anybody in as a person of a session. */

/** The members of a registration that do it: the personal link, and the key within it. */
export const secretMembers = ['connection_link', 'password_key'] as const;

export const joinLinkColumn = 'join_link';

const isLink = spelledAnyhow(['connection_link']);
const isSecret = spelledAnyhow(secretMembers);

/** A program in between may have written the name of the personal link otherwise, such as `connectionLink`. */
export function isLinkName(name: string): boolean {
	return isLink.test(name);
}

/** A field, or the answer to a question, of such a name is neither shown nor kept. The record as it was sent still has it. */
export function isWithheld(name: string): boolean {
	return isSecret.test(name);
}

function spelledAnyhow(names: readonly string[]): RegExp {
	return new RegExp(`^(?:${names.join('|').replaceAll('_', '[\\s_-]?')})$`, 'i');
}
