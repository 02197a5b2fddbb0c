import type { INodeProperties } from 'n8n-workflow';
import { choiceField, dateField, textField } from './field';

export const createdAndUpdated: INodeProperties[] = [
	dateField('createdSince', 'Only records created at this time or later'),
	dateField('createdUntil', 'Only records created at this time or earlier'),
	dateField('updatedSince', 'Only records last changed at this time or later'),
	dateField('updatedUntil', 'Only records last changed at this time or earlier'),
];

export const peopleFilters: INodeProperties[] = [
	...createdAndUpdated,
	textField('email', 'Only the person with exactly this email address', 'nathan@example.com'),
	choiceField('role', ['participant', 'team_member'], 'participant', 'Only people with this role'),
];
