import { attributesOf } from '../client/document';
import { parseSeconds } from '../dialect/time';
import { text } from '../values/text';
import type { JsonObject } from '../values/json';
import { registrantsOf, sumOf, type QuestionCounts } from './figures';
import type { ReportedPerson } from './person';

/** Counts the questions of a session. `questions`: their list; undefined where the platform has none. */
export function countQuestions(
	questions: readonly JsonObject[] | undefined,
	people: readonly ReportedPerson[],
): QuestionCounts {
	if (questions === undefined) {
		const counts = registrantsOf(people).map((person) => person.questions);
		return { askedCount: sumOf(counts) };
	}
	const hosts = people.filter(({ standing }) => standing !== 'registrant');
	const hostIds = new Set(hosts.map(({ id }) => id));
	const asked = questions
		.map(attributesOf)
		.filter(({ question_author_id: author }) => !hostIds.has(text(author)));
	const hasResponses = asked.every(
		(question) => 'response' in question || 'responded_at' in question,
	);
	const unanswered = asked.filter(
		({ response, responded_at: at }) =>
			text(response).trim() === '' && parseSeconds(at) === undefined,
	);
	return {
		askedCount: asked.length,
		unansweredCount: hasResponses ? unanswered.length : undefined,
	};
}

/** Adds up the questions of all sessions of an event. */
export function addUpQuestions(sessions: readonly QuestionCounts[]): QuestionCounts {
	return {
		askedCount: sumOf(sessions.map(({ askedCount }) => askedCount)),
		unansweredCount: sumOf(sessions.map(({ unansweredCount }) => unansweredCount)),
	};
}
