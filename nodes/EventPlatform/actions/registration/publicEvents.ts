import { thousands } from '../../core/client/usage';
import { describeReplacedEmails, knownEmailUse } from '../../core/people/emailUse';
import type { Row } from '../../core/people/registration';
import type { SessionCache } from '../../core/sessions/sessionCache';

const mostNamed = 5;

export function hintsOfPublicEvents(
	sessions: SessionCache,
	people: readonly Row[],
	shownByResults: ReadonlySet<string> = new Set(),
): string[] {
	const ids = [...new Set(people.map(({ sessionId }) => sessionId))].filter(
		(id) => shownByResults.has(id) || (id !== '' && knownEmailUse(sessions, id) === 'replaced'),
	);
	if (ids.length === 0) return [];
	const names = ids.slice(0, mostNamed).map((id) => sessions.nameOf(id));
	const more = ids.length - names.length;
	return [
		describeReplacedEmails(more > 0 ? names.concat(`${thousands(more)} more sessions`) : names),
	];
}
