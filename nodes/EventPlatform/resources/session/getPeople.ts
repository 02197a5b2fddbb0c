import type { Operation } from '../operation';
import { filters } from '../../parameters/collections';
import {
	createdAndUpdated,
	eitherFilter,
	emailFilter,
	roleFilter,
} from '../../parameters/filterFields';
import { listFields } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { sessionLocator } from '../../parameters/locators';
import { manyRecords } from '../records';
import { pathTo } from '../../core/http/path';

const attendedFilter = eitherFilter(
	['Attendance', 'attended'],
	['Attended', 'Did Not Attend'],
	'Only people who came to the session, or who did not',
);

/** The people of a session with what they answered at registration. */
export const getPeople: Operation = {
	value: 'getPeople',
	name: 'Get People',
	action: 'Get the people of a session',
	description: 'Retrieve the people of a session, with their answers and attendance',
	fields: [
		sessionLocator,
		...listFields,
		filters([...createdAndUpdated, attendedFilter, emailFilter, roleFilter]),
		recordOptions('registrants'),
	],
	overlapping: true,
	run(visit) {
		const { read } = visit;
		return manyRecords(visit, pathTo`/sessions/${read.id('sessionId')}/people`, read.query());
	},
};
