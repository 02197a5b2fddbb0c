import { changedAttributes, filledPath } from '../../fields/requestParts';
import type { ItemContext } from '../runContext';
import { recordOf, type RecordOperation } from '../recordOperation';
import { namesItsZone } from '../../fields/typedDates';
import { updateFields } from '../../fields/fieldBuilders';
import { timezoneLocator } from '../../fields/locators';
import { hintIfPast, sessionAttributes } from '../../fields/sessionStart';
import { embedUrlField, plannedStartField, sessionNameField } from '../../fields/sessionFields';
import { text } from '../../core/values/text';
import { attributesOf, getRecord } from '../../core/client/document';

export const update: RecordOperation = recordOf('PATCH', 'sessions', '/sessions/{sessionId}', {
	action: 'Update session',
	description: 'Change the name, date or embed URL of a session. Other fields stay the same.',
	fields: [
		updateFields([
			embedUrlField,
			sessionNameField,
			plannedStartField,
			{ ...timezoneLocator, description: 'Time zone of the session' },
		]),
	],
	async content(item) {
		const { parameters } = item;
		const { estimated_started_at: start, ...otherFields } = changedAttributes(parameters);
		const zone = text(otherFields.timezone) || (await zoneForStart(start, item));
		const attributes = sessionAttributes(start, otherFields, zone, item);
		return { id: parameters.id('sessionId'), attributes };
	},
	/** The answer has the session's own time zone, which the change need not name. */
	remarkOn(session, item) {
		const { estimatedStartedAt } = item.parameters.chosen('updateFields');
		if (estimatedStartedAt) hintIfPast(attributesOf(session), item.parameters.zone, item);
	},
});

/**
 * A start that names a zone of its own is written on the clock of the session, which has to be read for its zone. Any other start is
 * written as it was entered.
 */
async function zoneForStart(start: unknown, { client, parameters }: ItemContext): Promise<string> {
	if (!start || !namesItsZone(start)) return parameters.zone;
	const { timezone: zoneOfSession } = attributesOf(
		await getRecord(client.send, filledPath(parameters, '/sessions/{sessionId}')),
	);
	return typeof zoneOfSession === 'string' ? zoneOfSession : parameters.zone;
}
