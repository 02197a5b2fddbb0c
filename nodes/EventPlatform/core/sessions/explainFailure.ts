import type { Failure } from '../client/failure';
import { failureText } from '../failures/messages';
import type { SessionCache } from './sessionCache';

/** Says in words for people why a request about a session failed, and which session it was, where the run has read it. */
export function explainFailure(failure: Failure, sessions?: SessionCache, jobId?: string): string {
	const about = { what: 'the session', scope: 'events', jobId };
	const { title, description } = failureText(failure, about);
	const session = sessions?.findByPath(failure.request.path);
	const name = session && sessions ? `${sessions.nameOfRead(session)}: ` : '';
	return `${name}${title}. ${description}`;
}
