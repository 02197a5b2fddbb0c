import { countOf, thousands } from '../../core/values/text';
import { describeReplacedEmails } from '../../core/people/emailUse';
import { stillDifferent } from '../../core/people/amend';
import type { Outcome } from '../../core/people/outcome';
import { groupBy } from '../../core/values/collections';
import { peopleInWords } from '../../core/people/peopleInWords';
import type { Row } from '../../core/people/registration';
import type { RegistrationRun } from '../../core/registration/registrationRun';

/* The hints about what became of registrations. */

/** The name of a person in a hint; undefined where none is known. */
type NameInHint = string | undefined;

const adviceOnChanging =
	"They keep their answers. To change them, use 'Sync' (a list) or 'Update' (one person).";

export function hintsOfRegisteredBefore(people: readonly NameInHint[]): string[] {
	if (people.length === 0) return [];
	return [`${peopleWere(people)} already registered. ${adviceOnChanging}`];
}

export function hintsOfOtherAnswers(people: readonly NameInHint[]): string[] {
	if (people.length === 0) return [];
	return [`${peopleWere(people)} already registered with other answers. ${adviceOnChanging}`];
}

function peopleWere(people: readonly NameInHint[]): string {
	const were = people.length === 1 ? 'was' : 'were';
	return `${peopleInWords(people.length, people)} ${were}`;
}

export function hintsOfMissingLinks({ length: count }: readonly unknown[]): string[] {
	if (count === 0) return [];
	const whose = `${peopleInWords(count)} ${count === 1 ? 'has' : 'have'}`;
	return [`${whose} no join link: the run did not get it. 'Get People' may find it.`];
}

export function hintsOfLeftOutTracking(names: readonly string[]): string[] {
	if (names.length === 0) return [];
	return [`Left out, because the platform refuses them: ${[...new Set(names)].join(', ')}.`];
}

const mostSessionsInHint = 5;

export function hintsOfPublicEvents(
	{ sessions, findings }: Pick<RegistrationRun, 'sessions' | 'findings'>,
	people: readonly Row[],
): string[] {
	const ids = [...new Set(people.map(({ sessionId }) => sessionId))].filter(
		(id) => findings.emailsAre(id) === 'replaced',
	);
	if (ids.length === 0) return [];
	const names = ids.slice(0, mostSessionsInHint).map((id) => sessions.nameOf(id));
	const more = ids.length - names.length;
	return [describeReplacedEmails(more > 0 ? names.concat(countOf(more, 'more session')) : names)];
}

/** An update whose response does not show the change costs two requests: the person is read afterwards. */
const requestsOfUnshownUpdate = 2;

export function hintsAboutUpdates(
	outcomes: ReadonlyArray<Pick<Outcome, 'changes' | 'reasons'>>,
): string[] {
	const fields = outcomes.flatMap(({ changes = [], reasons: [reason] }) =>
		reason?.code === stillDifferent ? changes.map(({ field }) => field) : [],
	);
	return [...groupBy(fields, String)].map(([field, { length: count }]) =>
		[
			`'${field}' is stored with another value on the platform, for ${peopleInWords(count)}.`,
			`This costs ${thousands(requestsOfUnshownUpdate * count)} requests in every run. Use the platform's value in your list, or remove the field from the mapping.`,
		].join(' '),
	);
}
