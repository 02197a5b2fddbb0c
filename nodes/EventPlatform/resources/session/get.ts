import type { Operation } from '../operation';
import { recordFields } from '../../parameters/recordFields';
import { sessionLocator } from '../../parameters/locators';
import { includesOfSessions, queryOfSessions } from '../../parameters/sessionFields';
import { oneRecord } from '../records';
import { pathTo } from '../../core/http/path';

export const get: Operation = {
	value: 'get',
	action: 'Get session',
	description: 'Retrieve a session with its dates, status and numbers of people',
	fields: [sessionLocator, ...recordFields('sessions', includesOfSessions)],
	overlapping: true,
	run(visit) {
		const { read } = visit;
		const path = pathTo`/sessions/${read.id('sessionId')}`;
		return oneRecord(visit, { method: 'GET', path, query: queryOfSessions(read) });
	},
};
