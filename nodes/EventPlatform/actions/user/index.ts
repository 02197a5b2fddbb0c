import { choiceField, eitherField, neededText, textField } from '../../fields/fieldBuilders';
import type { Resource } from '../operation';
import { deletionOf } from '../deletion';
import { listOf } from '../listOperation';
import { recordOf } from '../recordOperation';

export const user: Resource = {
	description: 'A team member of the workspace',
	scope: 'admin',
	operations: {
		create: recordOf('POST', 'users', '/users', {
			action: 'Invite user',
			description: 'Invite a user to the team of the workspace',
			fields: [
				neededText('email', 'Email address that the invitation is sent to', 'nathan@example.com'),
				choiceField(
					'role',
					{ host: 'Creates and runs events', moderator: 'Supports the hosts of events' },
					'moderator',
					'What the user may do',
				),
			],
			content: ({ parameters }) => ({
				attributes: { email: parameters.needed('email'), role: parameters.needed('role') },
			}),
		}),
		delete: deletionOf('/users/{userId}', {
			action: 'Delete user',
			description: 'Delete a user permanently',
		}),
		getAll: listOf('users', '/users', {
			action: 'Get many users',
			description: 'Retrieve the users of the workspace',
			filters: [
				textField('email', 'Only the user with this email address', 'nathan@example.com'),
				eitherField({
					displayName: 'Invitation',
					name: 'pendingInvite',
					yes: 'Pending',
					no: 'Accepted',
					description: 'Only users whose invitation is pending, or accepted',
				}),
				textField('role', 'Only users with this role', 'host'),
			],
		}),
	},
};
