import type { Operation } from '../operation';
import { choiceField, textField } from '../../parameters/field';
import { recordFields } from '../../parameters/recordFields';
import { document, oneRecord } from '../records';

const email = textField('email', 'Email address that the invitation is sent to', {
	required: true,
	placeholder: 'e.g. nathan@example.com',
});

const role = choiceField(
	'role',
	{
		host: ['Host', 'Creates and runs events'],
		moderator: ['Moderator', 'Supports the hosts of events'],
	},
	'moderator',
	'What the user may do',
);

export const create: Operation = {
	value: 'create',
	action: 'Create user by invitation',
	description: 'Invite a user to the team of the workspace',
	fields: [email, role, ...recordFields('users')],
	run(visit) {
		const { read } = visit;
		const user = { email: read.needed('email'), role: read.needed('role') };
		return oneRecord(visit, { method: 'POST', path: '/users', body: document('users', user) });
	},
};
