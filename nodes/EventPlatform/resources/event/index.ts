import type { Resource } from '../operation';
import { addTag } from './addTag';
import { create } from './create';
import { deleteEvent } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { getPeople } from './getPeople';
import { getSessions } from './getSessions';
import { removeTag } from './removeTag';
import { update } from './update';

export const event: Resource = {
	value: 'event',
	name: 'Event',
	description: 'A webinar or meeting, held in one or more sessions',
	operations: [addTag, create, deleteEvent, get, getAll, getPeople, getSessions, removeTag, update],
	initial: getAll,
};
