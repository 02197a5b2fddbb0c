import type { Operation } from '../operation';
import { choiceField } from '../../parameters/field';
import { listOf } from '../records';

const include = choiceField(
	'include',
	{ asker: ['Asker', 'Who asked'], responder: ['Responder', 'Who answered'] },
	['asker', 'responder'],
	'Whose name and email to return with each question',
);

export const getQuestions: Operation = {
	value: 'getQuestions',
	action: 'Get questions of session',
	description: 'Retrieve the questions that attendees asked, with the answers given',
	...listOf('questions', '/sessions/{sessionId}/questions', {
		options: [include],
		query(read) {
			const isChosen = 'include' in read.chosen('options');
			// Simplified, they name people unless told otherwise.
			return read.simplify() && !isChosen ? { include: 'asker,responder' } : read.query('include');
		},
	}),
};
