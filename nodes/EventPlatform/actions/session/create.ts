import { addedAttributes } from '../../fields/requestParts';
import { recordOf, type RecordOperation } from '../recordOperation';
import { additionalFields, choiceField } from '../../fields/fieldBuilders';
import { textsIn } from '../../fields/parameterValues';
import { timezoneLocator } from '../../fields/locators';
import { hintIfPast, sessionAttributes } from '../../fields/sessionStart';
import { embedUrlField, plannedStartField, sessionNameField } from '../../fields/sessionFields';

const teamMembers = choiceField(
	'teamMembers',
	{},
	[],
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	{
		displayName: 'Team Member Names or IDs',
		typeOptions: { loadOptionsMethod: 'users' },
		options: undefined,
	},
);

export const create: RecordOperation = recordOf('POST', 'sessions', '/events/{eventId}/sessions', {
	action: 'Create session',
	description: 'Add a session to an event',
	fields: [
		{ ...plannedStartField, required: true },
		timezoneLocator,
		additionalFields([embedUrlField, sessionNameField, teamMembers]),
	],
	content(item) {
		const { parameters } = item;
		const zone = parameters.text('timezone') || parameters.zone;
		const { team_members: teamIds, ...otherFields } = addedAttributes(parameters);
		const start = parameters.date('estimatedStartedAt');
		const people = textsIn(teamIds).map((id) => ({
			data: { type: 'people', id, role: 'team_member' },
		}));
		const attributes = sessionAttributes(start, { ...otherFields, timezone: zone }, zone, item);
		hintIfPast(attributes, zone, item);
		return {
			attributes,
			...(people.length > 0 && { relationships: { people } }),
		};
	},
});
