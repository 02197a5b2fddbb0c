import type { INodeProperties } from 'n8n-workflow';

export const createdAndUpdated: INodeProperties[] = [
	{
		displayName: 'Created Since',
		name: 'createdSince',
		type: 'dateTime',
		default: '',
		description: 'Only what was created at this time or later',
	},
	{
		displayName: 'Created Until',
		name: 'createdUntil',
		type: 'dateTime',
		default: '',
		description: 'Only what was created at this time or earlier',
	},
	{
		displayName: 'Updated Since',
		name: 'updatedSince',
		type: 'dateTime',
		default: '',
		description: 'Only what was last changed at this time or later',
	},
	{
		displayName: 'Updated Until',
		name: 'updatedUntil',
		type: 'dateTime',
		default: '',
		description: 'Only what was last changed at this time or earlier',
	},
];

const emailFilter: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	placeholder: 'e.g. nathan@example.com',
	default: '',
	description: 'Only the person with exactly this email address',
};

const roleFilter: INodeProperties = {
	displayName: 'Role',
	name: 'role',
	type: 'options',
	options: [
		{ name: 'Participant', value: 'participant' },
		{ name: 'Team Member', value: 'team_member' },
	],
	default: 'participant',
	description: 'Only people with this role',
};

/** What every list of people can be narrowed by. */
export const peopleFilters: INodeProperties[] = [...createdAndUpdated, emailFilter, roleFilter];

/** A condition that is met or not, as two named choices: off would look like no condition. */
export function eitherFilter(
	[displayName, name]: [displayName: string, name: string],
	choices: [yes: string, no: string],
	description: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'options',
		options: choices
			.map((choice, place) => ({ name: choice, value: place === 0 }))
			.sort((a, b) => a.name.localeCompare(b.name)),
		default: true,
		description,
	};
}

/** By display name, as n8n shows the choices of a collection. */
export function sorted(fields: INodeProperties[]): INodeProperties[] {
	return [...fields].sort((a, b) => a.displayName.localeCompare(b.displayName));
}
