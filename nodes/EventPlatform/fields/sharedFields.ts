import type { INodeProperties } from 'n8n-workflow';
import { choiceField, dateField, numberField, switchField, textField } from './fieldBuilders';

/* Fields of operations of several resources. */

export const createdAndUpdated: INodeProperties[] = [
	dateField('createdSince', 'At this time or later'),
	dateField('createdUntil', 'At this time or earlier'),
	dateField('updatedSince', 'At this time or later'),
	dateField('updatedUntil', 'At this time or earlier'),
];

export const peopleFilters: INodeProperties[] = [
	...createdAndUpdated,
	textField('email', 'Only the person with exactly this email address', 'nathan@example.com'),
	choiceField('role', ['participant', 'team_member'], 'participant', 'Only people with this role'),
];

/** On when it is added: people who add it want the link. */
export const joinLinkOption: INodeProperties = switchField(
	'includeJoinLink',
	true,
	"Whether to return each 'join_link', with which anybody can enter as that person",
);

export const usualMaxWaitSeconds = 900;

export function maxWaitField(description: string): INodeProperties {
	return numberField('maxWaitSeconds', usualMaxWaitSeconds, description, {
		displayName: 'Max Wait (Seconds)',
		typeOptions: { minValue: 1 },
	});
}
