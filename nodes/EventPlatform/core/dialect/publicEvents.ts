import { isObject, type Json } from '../values/json';
import { text } from '../values/text';

/*
 * What this rests on: a recorded registration for a public event, whose form has no email and whose record has a made-up one.
 */

/**
 * How an event treats the email that is sent for a person. `replaced`: it is a public event, whose form does not ask for an
 * email. The platform then makes up another address for each registration, so the same person sent twice is two people.
 */
export type EmailUse = 'kept' | 'replaced' | 'unknown';

export function emailUseOfForm(fields: Json | undefined): EmailUse {
	if (!Array.isArray(fields) || fields.length === 0) return 'unknown';
	const ids = fields.map((field) => (isObject(field) ? text(field.id).trim().toLowerCase() : ''));
	if (ids.includes('email')) return 'kept';
	return ids.includes('') ? 'unknown' : 'replaced';
}

/**
 * A public event does not keep the email that is sent: the platform puts the time and a UUID in its place, so such an address names
 * nobody.
 */
export function isGeneratedAddress(address: string): boolean {
	return /^\d+\+[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}@unknown\.livestorm\.co$/i.test(address);
}
