import type { Operation } from '../operation';
import { simplifyField } from '../../parameters/listFields';
import { personLocator } from '../../parameters/locators';
import { oneRecord } from '../records';
import { pathTo } from '../../core/http/path';

/** One person of the workspace. */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a person',
	description: 'Retrieve a person of the workspace',
	fields: [personLocator, simplifyField],
	overlapping: true,
	run(visit) {
		return oneRecord(visit, {
			method: 'GET',
			path: pathTo`/people/${visit.read.id('personId')}`,
		});
	},
};
