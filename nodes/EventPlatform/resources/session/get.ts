import type { Operation } from '../operation';
import { includesOfSessions, queryOfSessions } from '../../parameters/includes';
import { simplifyField } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { sessionLocator } from '../../parameters/locators';
import { oneRecord } from '../records';
import { pathTo } from '../../core/http/path';

/** One session. */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a session',
	description: 'Retrieve a session with its dates, status and numbers of people',
	fields: [sessionLocator, simplifyField, recordOptions('sessions', includesOfSessions)],
	overlapping: true,
	run(visit) {
		const { read } = visit;
		return oneRecord(visit, {
			method: 'GET',
			path: pathTo`/sessions/${read.id('sessionId')}`,
			query: queryOfSessions(read),
		});
	},
};
