import { attributesOf } from '../client/document';
import { parseSeconds } from '../dialect/time';
import { text } from '../values/text';
import type { JsonObject } from '../values/json';
import { registrantsOf, sumOf, type QuestionCounts } from './figures';
import type { ReportedPerson } from './person';

/** Counts the questions of a session. `questions`: the list of them; undefined where the platform has no such list. */
export function countQuestions(
	questions: readonly JsonObject[] | undefined,
	people: readonly ReportedPerson[],
): QuestionCounts {
	if (questions === undefined) {
		// The platform may count the questions of each person all the same.
		const counts = registrantsOf(people).map((person) => person.questions);
		return { askedCount: sumOf(counts) };
	}
	const hosts = people.filter(({ standing }) => standing !== 'registrant');
	const hostIds = new Set(hosts.map(({ id }) => id));
	const askedQuestions = questions
		.map(attributesOf)
		.filter(({ question_author_id: author }) => !hostIds.has(text(author)));
	const hasResponses = askedQuestions.every(
		(question) => 'response' in question || 'responded_at' in question,
	);
	const unansweredQuestions = askedQuestions.filter(
		({ response, responded_at: respondedAt }) =>
			text(response).trim() === '' && parseSeconds(respondedAt) === undefined,
	);
	return {
		askedCount: askedQuestions.length,
		unansweredCount: hasResponses ? unansweredQuestions.length : undefined,
	};
}

/** Adds up the questions of all sessions of an event. */
export function addUpQuestions(sessions: readonly QuestionCounts[]): QuestionCounts {
	return {
		askedCount: sumOf(sessions.map(({ askedCount }) => askedCount)),
		unansweredCount: sumOf(sessions.map(({ unansweredCount }) => unansweredCount)),
	};
}
