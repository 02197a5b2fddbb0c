import { isObject, type Json } from '../values/json';
import { text } from '../values/text';
import { membersOf } from './envelope';
import { isUuid } from './ids';

/*
 * What this rests on: section 4.3 does not show the payload. The vendor's pages have records with `slug`, `name`, `type` and `options`.
 */

export interface PersonAttribute {
	/** The name by which answers and records refer to it. */
	id: string;
	/** The name for people, as the platform sends it. */
	name?: Json;
	/** The choices, as the platform sends them; absent where people type what they like. */
	items?: Json;
	multiple: boolean;
}

/**
 * Reads the attributes in the response to GET /people_attributes, or in its pages of any shape. The specification does not show it:
 * texts or objects, with or without `data`, or an object with a member for each attribute. Empty where it is no such list.
 */
export function personAttributesIn(body: unknown): PersonAttribute[] {
	return entriesIn(body)
		.flatMap(readAttribute)
		.filter(({ id }) => id !== '');
}

interface ListEntry {
	key?: string;
	attribute: Json | undefined;
}

function entriesIn(body: unknown): ListEntry[] {
	if (Array.isArray(body)) return (body as Json[]).flatMap(entriesOfMember);
	if (!isObject(body)) return [];
	if (body.data !== undefined) return entriesIn(body.data);
	const members = Object.entries(body).filter(([name]) => !besideAttributes.has(name));
	const [firstMember] = members;
	// {"people_attributes": […]}
	if (firstMember && members.length === 1 && Array.isArray(firstMember[1])) {
		return entriesIn(firstMember[1]);
	}
	// A member that is a text may be anything, such as a message.
	return members.flatMap(([key, attribute]) => (isObject(attribute) ? [{ key, attribute }] : []));
}

/** A member of a list is an attribute, or what a page of any shape makes of a text and of an object that is no list. */
function entriesOfMember(member: Json): ListEntry[] {
	if (!isObject(member) || namesOfAttribute.some((name) => member[name] !== undefined)) {
		return [{ attribute: member }];
	}
	return typeof member.value === 'string' ? [{ attribute: member.value }] : entriesIn(member);
}

const namesOfAttribute = ['attributes', 'slug', 'id', 'name'];

const besideAttributes = new Set(['meta', 'links', 'included', 'errors', 'error', 'jsonapi']);

function readAttribute({ key = '', attribute }: ListEntry): PersonAttribute[] {
	if (typeof attribute === 'string') return [{ id: attribute.trim(), multiple: false }];
	if (!isObject(attribute)) return [];
	const { slug, name, type, options } = membersOf(attribute);
	const trimmed = (value: unknown) => text(value).trim();
	const id = idAmong(trimmed(slug), [attribute.id, name, key].map(trimmed));
	const kind = text(type);
	const items = kind.endsWith('_select') ? options : undefined;
	return [{ id, name, items, multiple: kind === 'multiple_select' }];
}

/**
 * Chooses the identifier of an attribute among its names, the slug first. The ID of a record may be a UUID, which says nothing to a
 * registration, and its name may be a label. Section 2.2 names three identifiers, which no attribute has under another name.
 */
function idAmong(slug: string, otherNames: readonly string[]): string {
	const candidates = slug !== '' && !isUuid(slug) ? [slug] : [slug, ...otherNames];
	const named = candidates.flatMap((name) => namedIds.get(lettersOf(name)) ?? []);
	return named[0] ?? candidates.find(isIdentifier) ?? candidates.find(Boolean) ?? '';
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');

/** The ids of the questions that every form has (section 2.2), which are attributes of the person as well. */
export const namedQuestionIds = ['email', 'first_name', 'last_name'];

const namedIds = new Map(namedQuestionIds.map((id) => [lettersOf(id), id]));

/** An identifier looks like "job_title", and neither like a label, a number nor a UUID. */
function isIdentifier(name: string): boolean {
	return /^[\p{Ll}\p{Lo}\d_][\p{L}\d_.-]*$/u.test(name) && /\p{L}/u.test(name) && !isUuid(name);
}
