import type { Operation } from '../operation';
import { listFields } from '../../parameters/listFields';
import { sessionLocator } from '../../parameters/locators';
import { manyRecords } from '../records';
import { pathTo } from '../../core/http/path';

/** Questions asked during a session. */
export const getQuestions: Operation = {
	value: 'getQuestions',
	name: 'Get Questions',
	action: 'Get the questions of a session',
	description: 'Retrieve the questions that attendees asked, with the answers given',
	fields: [sessionLocator, ...listFields],
	overlapping: true,
	run(visit) {
		return manyRecords(visit, pathTo`/sessions/${visit.read.id('sessionId')}/questions`);
	},
};
