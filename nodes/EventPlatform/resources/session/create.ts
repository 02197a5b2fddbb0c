import type { Operation } from '../operation';
import { additionalFields } from '../../parameters/collections';
import { simplifyField } from '../../parameters/listFields';
import { eventLocator } from '../../parameters/locators';
import {
	plannedStart,
	sessionAttributes,
	sessionName,
	timezone,
} from '../../parameters/sessionFields';
import { document, oneRecord } from '../records';
import { pathTo } from '../../core/http/path';

/** Adds a date to an event. */
export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a session',
	description: 'Add a session to an event',
	fields: [
		eventLocator,
		{ ...plannedStart, required: true },
		timezone,
		additionalFields([sessionName]),
		simplifyField,
	],
	run(visit) {
		const { read } = visit;
		const zone = read.text('timezone') || read.zone;
		const chosen = {
			...read.filled('additionalFields'),
			estimatedStartedAt: read.date('estimatedStartedAt'),
			timezone: zone,
		};
		return oneRecord(visit, {
			method: 'POST',
			path: pathTo`/events/${read.id('eventId')}/sessions`,
			body: document('sessions', sessionAttributes(chosen, zone, read)),
		});
	},
};
