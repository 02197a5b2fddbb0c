import type { Operation } from '../operation';
import { filters } from '../../parameters/collections';
import { peopleFilters } from '../../parameters/filterFields';
import { listFields } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { manyRecords } from '../records';

/** Everybody known to the workspace. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many people of all sessions',
	description: 'Retrieve all people of the workspace',
	fields: [...listFields, filters(peopleFilters), recordOptions('people')],
	overlapping: true,
	run(visit) {
		return manyRecords(visit, '/people', visit.read.query());
	},
};
