import { listOf, type ListOperation } from '../listOperation';
import { choiceField } from '../../fields/fieldBuilders';
import type { Query } from '../../core/client/request';

export const getQuestions: ListOperation = listOf('questions', '/sessions/{sessionId}/questions', {
	action: 'Get questions of session',
	description: 'Retrieve the questions that attendees asked, with the answers given',
	options: [
		choiceField(
			'include',
			{ asker: 'Who asked', responder: 'Who answered' },
			['asker', 'responder'],
			'Whose name and email to return with each question',
		),
	],
	addedQuery(parameters): Query | undefined {
		// Simplified questions name people, unless somebody chose otherwise.
		const isUsual = parameters.simplify() && !('include' in parameters.chosen('options'));
		return isUsual ? { include: 'asker,responder' } : undefined;
	},
});
