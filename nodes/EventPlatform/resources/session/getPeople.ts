import type { JsonObject } from '../../core/http/ports';
import { fieldsOf } from '../../core/records/simplify';
import type { Operation } from '../operation';
import type { Read } from '../../parameters/read';
import { eitherField } from '../../parameters/field';
import { peopleFilters } from '../../parameters/filterFields';
import { listOf } from '../records';

const attendedFilter = eitherField(
	['Attendance', 'attended'],
	['Attended', 'Did Not Attend'],
	'Only people who attended the session, or only people who did not',
);

/** The platform cannot filter by it, but it counts. */
const askedFilter = eitherField(
	['Asked a Question', 'askedQuestion'],
	['Asked', 'Did Not Ask'],
	'Only people who asked a question, or only people who did not. The node then reads the whole list.',
);

function questionsOf(person: JsonObject, read: Read): number {
	const count = fieldsOf(person).get('questions_count');
	if (typeof count === 'number') return count;
	throw read.refusal(
		'The platform does not say how many questions people asked',
		"Remove the filter 'Asked a Question' and use 'Get Questions', which names the people who asked.",
	);
}

export const getPeople: Operation = {
	action: 'Get people of session',
	description: 'Retrieve the people of a session, with their answers and attendance',
	...listOf('registrants', '/sessions/{sessionId}/people', {
		filters: [...peopleFilters, askedFilter, attendedFilter],
		query(read) {
			const query = read.query();
			delete query[asked];
			return query;
		},
		only(read) {
			const { [asked]: wanted } = read.query();
			if (wanted === undefined) return undefined;
			return (person) => questionsOf(person, read) > 0 === wanted;
		},
	}),
};

const asked = 'filter[asked_question]';
