import { listOf, type ListOperation, type OwnFilter, type Remarks } from '../listOperation';
import { eitherField } from '../../fields/fieldBuilders';
import type { ItemParameters } from '../../fields/itemParameters';
import type { Query } from '../../core/client/request';
import { joinLinkOption, peopleFilters } from '../../fields/sharedFields';
import { thousands } from '../../core/values/text';
import { reportedStandingOf, type ReportedStanding } from '../../core/report/reportedPerson';
import { attributesOf } from '../../core/client/document';
import { parseCount } from '../../core/dialect/flags';
import type { JsonObject } from '../../core/values/json';

export const getPeople: ListOperation = listOf('registrants', '/sessions/{sessionId}/people', {
	action: 'Get people of session',
	description: 'Retrieve the people of a session, with their answers and attendance',
	filters: [
		...peopleFilters,
		eitherField({
			displayName: 'Asked a Question',
			name: 'askedQuestion',
			yes: 'Asked',
			no: 'Did Not Ask',
			description:
				'Only people who asked a question, or only people who did not. The node then reads the whole list.',
		}),
		eitherField({
			displayName: 'Attendance',
			name: 'attended',
			yes: 'Attended',
			no: 'Did Not Attend',
			description: 'Only people who attended the session, or only people who did not',
		}),
	],
	outputOptions: [joinLinkOption],
	ownFilter: filterByQuestions,
	remarks: remarksOnNonRegistrants,
});

/** Remarks on the team members and guests in the list, because they are no registrants and would be counted as people who came. */
function remarksOnNonRegistrants(query: Query): Remarks | undefined {
	return 'filter[role]' in query
		? undefined
		: { remarkOf: reportedStandingOf, describe: hintsOfStandings };
}

/** Filters people by whether they asked a question. The platform has no such filter, but it says how many questions each of them asked. */
function filterByQuestions(query: Query, parameters: ItemParameters): OwnFilter | undefined {
	const { 'filter[asked_question]': hasAsked, ...otherConditions } = query;
	if (hasAsked === undefined) return undefined;
	const passes = (person: JsonObject) => {
		const count = parseCount(attributesOf(person).questions_count);
		if (count !== undefined) return count > 0 === hasAsked;
		throw parameters.parameterError(
			'The platform does not say how many questions people asked',
			"Remove the filter 'Asked a Question' and use 'Get Questions', which names the people who asked.",
		);
	};
	return { query: otherConditions, passes };
}

function hintsOfStandings(standings: readonly ReportedStanding[]): string[] {
	const groups = (['team', 'guest'] as const).flatMap((standing) => {
		const count = standings.filter((each) => each === standing).length;
		return count === 0 ? [] : { count, word: wordFor[standing] };
	});
	const [group] = groups;
	if (group === undefined) return [];
	if (standings.length === 1) return [`This person is a ${group.word}. ${adviceOnCounting}`];
	const counts = groups.map(({ count, word }) =>
		count === 1 ? `1 is a ${word}` : `${thousands(count)} are ${word}s`,
	);
	return [
		`Of these ${thousands(standings.length)} people, ${counts.join(' and ')}. ${adviceOnCounting}`,
	];
}

const wordFor = { team: 'team member', guest: 'guest speaker' };
const adviceOnCounting = "If you count who attended, leave them out, as 'Get Report' does.";
