import { listOf, type ListOperation } from '../records';
import { eitherField } from '../../fields/field';
import { joinLinkOption, peopleFilters } from '../../fields/sharedFields';
import { fieldsOf } from '../../core/records/simplify';

export const getPeople: ListOperation = listOf('registrants', '/sessions/{sessionId}/people', {
	action: 'Get people of session',
	description: 'Retrieve the people of a session, with their answers and attendance',
	filters: [
		...peopleFilters,
		eitherField(
			['Asked a Question', 'askedQuestion'],
			['Asked', 'Did Not Ask'],
			'Only people who asked a question, or only people who did not. The node then reads the whole list.',
		),
		eitherField(
			['Attendance', 'attended'],
			['Attended', 'Did Not Attend'],
			'Only people who attended the session, or only people who did not',
		),
	],
	options: [joinLinkOption],
	query: (read) => read.query(),
	own: {
		filter: 'filter[asked_question]',
		isMet(person, wanted, parameters) {
			const count = fieldsOf(person).get('questions_count');
			if (typeof count === 'number') return count > 0 === wanted;
			throw parameters.refusal(
				'The platform does not say how many questions people asked',
				"Remove the filter 'Asked a Question' and use 'Get Questions', which names the people who asked.",
			);
		},
	},
});
