import { emailUseOfForm, type EmailUse } from '../dialect/publicEvents';
import { isLasting } from '../failures/meaning';
import type { JsonObject } from '../values/json';
import { attributesOf } from '../client/document';
import type { Ask } from '../client/request';
import type { SessionCache } from '../sessions/sessionCache';

function emailUseOf(event: JsonObject): EmailUse {
	return emailUseOfForm(attributesOf(event).fields);
}

export function knownEmailUse(sessions: SessionCache, sessionId: string): EmailUse {
	const event = sessions.find(sessionId)?.event;
	return event ? emailUseOf(event) : 'unknown';
}

/**
 * Reads what the event of a session does with emails, with a request where this run has not read its form; `unknown` where it cannot be
 * read. A failure that passes is thrown, so that the caller can ask again.
 */
export async function readEmailUse(
	sessions: SessionCache,
	sessionId: string,
	ask?: Ask,
): Promise<EmailUse> {
	const event = await sessions.readEvent(sessionId, ask).catch((error: unknown) => {
		if (isLasting(error)) return undefined;
		throw error;
	});
	return event ? emailUseOf(event) : 'unknown';
}

export function describeReplacedEmails(sessions: readonly string[]): string {
	return `${publicEventInWords(sessions)} People who are sent again are registered twice, so do not run the same list again.`;
}

export function publicEventInWords(sessions: readonly string[]): string {
	const [first = ''] = sessions;
	const belonging =
		sessions.length === 1
			? `${first} belongs to a public event, whose registration form does not ask for an email`
			: `${sessions.join(', ')} belong to public events, whose registration forms do not ask for an email`;
	return `${belonging}: ${consequence}`;
}

const consequence = 'the platform replaces each email with one that it makes up.';
