import { choiceField, eitherField, neededText, textField } from '../parameters/field';
import type { Resource } from './operation';
import { creationOf, deletionOf, listOf } from './records';

export const user: Resource = {
	description: 'A team member of the workspace',
	scope: 'admin',
	operations: {
		create: {
			action: 'Create user by invitation',
			description: 'Invite a user to the team of the workspace',
			...creationOf('users', '/users', {
				email: neededText(
					'email',
					'Email address that the invitation is sent to',
					'nathan@example.com',
				),
				role: choiceField(
					'role',
					{
						host: 'Creates and runs events',
						moderator: 'Supports the hosts of events',
					},
					'moderator',
					'What the user may do',
				),
			}),
		},
		delete: {
			action: 'Delete user',
			description: 'Delete a user permanently',
			...deletionOf('/users/{userId}'),
		},
		getAll: {
			action: 'Get many users',
			description: 'Retrieve the users of the workspace',
			...listOf('users', '/users', {
				filters: [
					textField('email', 'Only the user with this email address', 'nathan@example.com'),
					eitherField(
						['Invitation', 'pendingInvite'],
						['Pending', 'Accepted'],
						'Only users whose invitation is pending, or accepted',
					),
					textField('role', 'Only users with this role', 'host'),
				],
			}),
		},
	},
};
