import type { Operation } from '../operation';
import { filters } from '../../parameters/collections';
import { emailFilter, roleFilter } from '../../parameters/filterFields';
import { listFields } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { manyRecords } from '../records';

/** Everybody known to the workspace. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many people of all sessions',
	description: 'Retrieve the people of the workspace, whatever session they are in',
	fields: [...listFields, filters([emailFilter, roleFilter]), recordOptions('people')],
	overlapping: true,
	run(visit) {
		return manyRecords(visit, '/people', visit.read.query());
	},
};
