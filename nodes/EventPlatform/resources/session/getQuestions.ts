import type { Operation } from '../operation';
import { choiceField } from '../../parameters/field';
import { listFields } from '../../parameters/recordFields';
import { sessionLocator } from '../../parameters/locators';
import { pathTo } from '../../core/http/path';
import { manyRecords } from '../records';

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
	fields: [sessionLocator, ...listFields('questions', [], include)],
	overlapping: true,
	run(visit) {
		const { read } = visit;
		const path = pathTo`/sessions/${read.id('sessionId')}/questions`;
		// Simplified, they name people unless told otherwise.
		const named = { include: 'asker,responder' };
		const isAsked = read.simplify() && !('include' in read.chosen('options'));
		return manyRecords(visit, path, isAsked ? named : read.query('include'));
	},
};
