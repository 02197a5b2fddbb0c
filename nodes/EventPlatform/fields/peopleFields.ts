import type { INodeProperties } from 'n8n-workflow';
import { textField, choiceField, switchField } from './fieldBuilders';
import { createdAndUpdated } from './timeFilters';

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
