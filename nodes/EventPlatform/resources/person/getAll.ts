import type { Operation } from '../operation';
import { peopleFilters } from '../../parameters/filterFields';
import { listFields } from '../../parameters/recordFields';
import { manyRecords } from '../records';

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many people of all sessions',
	description: 'Retrieve all people of the workspace',
	fields: listFields('people', peopleFilters),
	overlapping: true,
	run: (visit) => manyRecords(visit, '/people', visit.read.query()),
};
