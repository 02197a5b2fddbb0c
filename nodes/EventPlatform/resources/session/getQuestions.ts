import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../operation';
import { listFields } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { sessionLocator } from '../../parameters/locators';
import { pathTo } from '../../core/http/path';
import { manyRecords } from '../records';

const include: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	type: 'multiOptions',
	options: [
		{ name: 'Asker', value: 'asker', description: 'Who asked' },
		{ name: 'Responder', value: 'responder', description: 'Who answered' },
	],
	default: ['asker', 'responder'],
	description: 'Whose name and email to return with each question',
};

/** Questions asked during a session. */
export const getQuestions: Operation = {
	value: 'getQuestions',
	name: 'Get Questions',
	action: 'Get questions of session',
	description: 'Retrieve the questions that attendees asked, with the answers given',
	fields: [sessionLocator, ...listFields, recordOptions('questions', include)],
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
