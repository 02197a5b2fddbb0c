import type { JsonObject } from '../../core/http/ports';
import { fieldsOf } from '../../core/records/simplify';
import type { Operation } from '../operation';
import type { Read } from '../../parameters/read';
import { eitherField } from '../../parameters/field';
import { peopleFilters } from '../../parameters/filterFields';
import { listFields } from '../../parameters/recordFields';
import { sessionLocator } from '../../parameters/locators';
import { manyRecords } from '../records';
import { pathTo } from '../../core/http/path';

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
	value: 'getPeople',
	action: 'Get people of session',
	description: 'Retrieve the people of a session, with their answers and attendance',
	fields: [
		sessionLocator,
		...listFields('registrants', [...peopleFilters, askedFilter, attendedFilter]),
	],
	overlapping: true,
	run(visit) {
		const { read } = visit;
		const path = pathTo`/sessions/${read.id('sessionId')}/people`;
		const { 'filter[asked_question]': asked, ...query } = read.query();
		const isWanted = (person: JsonObject) => questionsOf(person, read) > 0 === asked;
		return manyRecords(visit, path, query, asked === undefined ? undefined : isWanted);
	},
};
