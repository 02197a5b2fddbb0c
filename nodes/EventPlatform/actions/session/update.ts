import type { ItemContext } from '../runContext';
import { recordOf, type RecordOperation } from '../record';
import { namesItsZone } from '../../fields/typedDates';
import { updateFields } from '../../fields/fieldBuilders';
import { timezoneLocator } from '../../fields/locators';
import { sessionAttributes } from '../../fields/sessionStart';
import { plannedStart, sessionNameField } from '../../fields/sessionFields';
import { text } from '../../core/values/text';
import { attributesOf, getRecord } from '../../core/client/document';
import { embedUrl } from './embedUrl';

export const update: RecordOperation = recordOf('PATCH', 'sessions', '/sessions/{sessionId}', {
	action: 'Update session',
	description: 'Change the name, date or embed URL of a session. Other fields stay the same.',
	fields: [
		updateFields([
			embedUrl,
			sessionNameField,
			plannedStart,
			{ ...timezoneLocator, description: 'Time zone of the session' },
		]),
	],
	async content(item) {
		const { parameters } = item;
		const { estimated_started_at: start, ...others } = parameters.changes();
		const zone = text(others.timezone) || (await zoneFor(start, item));
		const attributes = sessionAttributes(start, others, zone, item);
		return { id: parameters.id('sessionId'), attributes };
	},
});

/** A start is written in the zone of the session, which has to be asked for when it is not given. */
async function zoneFor(start: unknown, { api, parameters }: ItemContext): Promise<string> {
	if (!start || !namesItsZone(start)) return parameters.zone;
	const { timezone: own } = attributesOf(
		await getRecord(api, parameters.path('/sessions/{sessionId}')),
	);
	return typeof own === 'string' ? own : parameters.zone;
}
