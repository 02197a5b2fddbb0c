import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../operation';
import { simplifyField } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { document, oneRecord } from '../records';

const email: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. nathan@example.com',
	description: 'Where the invitation is sent',
};

const role: INodeProperties = {
	displayName: 'Role',
	name: 'role',
	type: 'options',
	options: [
		{ name: 'Host', value: 'host', description: 'Creates and runs events' },
		{ name: 'Moderator', value: 'moderator', description: 'Supports the hosts of events' },
	],
	default: 'moderator',
	description: 'What the user may do',
};

/** Invites somebody into the team. */
export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create user by invitation',
	description: 'Invite a user to the team of the workspace',
	fields: [email, role, simplifyField, recordOptions('users')],
	run(visit) {
		const { read } = visit;
		return oneRecord(visit, {
			method: 'POST',
			path: '/users',
			body: document('users', { email: read.needed('email'), role: read.needed('role') }),
		});
	},
};
