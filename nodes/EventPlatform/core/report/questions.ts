import { attributesOf } from '../client/document';
import { parseSeconds } from '../dialect/time';
import { text } from '../values/text';
import type { JsonObject } from '../values/json';
import { registrantsOf, sumOf, type QuestionCounts } from './figures';
import type { ReportedPerson } from './person';

/** Counts the questions of a session. `questions` is undefined where the platform does not list them. */
export function countQuestions(
	questions: readonly JsonObject[] | undefined,
	people: readonly ReportedPerson[],
): QuestionCounts {
	if (questions === undefined) {
		const counts = registrantsOf(people).map((person) => person.questions);
		return { asked: sumOf(counts), unanswered: null };
	}
	const hosts = people.filter(({ standing }) => standing !== 'registrant');
	const hostIds = new Set(hosts.map(({ id }) => id).filter((id) => id !== ''));
	const asked = questions
		.map(attributesOf)
		.filter(({ question_author_id: author }) => !hostIds.has(text(author)));
	const isResponseGiven = asked.every(
		(question) => 'response' in question || 'responded_at' in question,
	);
	const unanswered = asked.filter(
		({ response, responded_at: at }) =>
			text(response).trim() === '' && parseSeconds(at) === undefined,
	);
	return { asked: asked.length, unanswered: isResponseGiven ? unanswered.length : null };
}

/** Adds up the questions of all sessions of an event. */
export function addUp(sessions: readonly QuestionCounts[]): QuestionCounts {
	return {
		asked: sumOf(sessions.map(({ asked }) => asked)),
		unanswered: sumOf(sessions.map(({ unanswered }) => unanswered)),
	};
}
