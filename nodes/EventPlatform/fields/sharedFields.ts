import type { INodeProperties } from 'n8n-workflow';
import { choiceField, dateField, numberField, switchField, textField } from './fieldBuilders';

/* Fields of operations of several resources. */

/** The filters by the times at which a record was created and last changed. */
export const createdAndUpdated: INodeProperties[] = [
	dateField('createdSince', 'Created at this time or later'),
	dateField('createdUntil', 'Created at this time or earlier'),
	dateField('updatedSince', 'Last changed at this time or later'),
	dateField('updatedUntil', 'Last changed at this time or earlier'),
];

/** The filters of every list of people. */
export const peopleFilters: INodeProperties[] = [
	...createdAndUpdated,
	textField('email', 'Only the person with exactly this email address', 'nathan@example.com'),
	choiceField('role', ['participant', 'team_member'], 'participant', 'Only people with this role'),
];

/** The option for join links. It is on when it is added, because somebody who adds it wants the link. */
export const joinLinkOption: INodeProperties = switchField(
	'includeJoinLink',
	true,
	"Whether to return each person's 'join_link'. Anybody who has it can enter as that person.",
);

/** The longest wait of an operation that has no other setting. */
export const usualMaxWaitSeconds = 900;

/** Describes the option for the longest wait. */
export function maxWaitField(description: string): INodeProperties {
	return numberField('maxWaitSeconds', usualMaxWaitSeconds, description, {
		displayName: 'Max Wait (Seconds)',
		typeOptions: { minValue: 1 },
	});
}
