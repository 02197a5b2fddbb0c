import { isObject, type Json, type JsonObject } from '../values/json';
import { text } from '../values/text';
import { registrationOf } from './record';

/** The column of the link in our output. */
export const joinLinkColumn = 'join_link';

/** The name of the link on the platform; `connectionLink` where somebody in between has renamed it. */
const linkName = /^connection[\s_-]?link$/i;
/** Anything else, such as a script, is no link to hand on. */
const webAddress = /^https?:\/\/[^\s"'<>]+$/i;

/**
 * The personal link of somebody, with which anybody enters as that person: in the registration, beside it, or beside the
 * attributes. Null where the platform has not sent one. Answers to a form and related records are not looked at.
 */
export function joinLinkOf(record: JsonObject): string | null {
	const { attributes } = record;
	const places = [registrationOf(record), isObject(attributes) ? attributes : {}, record];
	const links = places.flatMap((place) => Object.entries(place)).flatMap(linkIn);
	return links[0] ?? null;
}

function linkIn([name, value]: [name: string, value: Json]): string[] {
	const link = linkName.test(name) && typeof value === 'string' ? text(value).trim() : '';
	return webAddress.test(link) ? [link] : [];
}
