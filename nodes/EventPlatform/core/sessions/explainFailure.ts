import type { Failure } from '../client/failure';
import { failureText, type About } from '../failures/messages';
import type { SessionCache } from './sessionCache';

/** Says in words for people why a request about a session failed, and which session it was, where the run has read it. */
export function explainFailure(failure: Failure, sessions?: SessionCache): string {
	// What a run has sent before may have changed something.
	const what = failure.request.path.startsWith('/jobs/') ? 'the job' : 'the session';
	const about: About = { what, scope: 'events', mayHaveChanged: true };
	const { title, description } = failureText(failure, about);
	const session = sessions?.findByPath(failure.request.path);
	const name = session && sessions ? `${sessions.nameOfRead(session)}: ` : '';
	return `${name}${title}. ${description}`;
}
