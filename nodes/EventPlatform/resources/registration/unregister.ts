import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../operation';
import { sessionLocator, sessionPersonLocator } from '../../parameters/locators';
import { deletion } from '../records';
import { pathTo } from '../../core/http/path';

const by: INodeProperties = {
	displayName: 'Find Person By',
	name: 'by',
	type: 'options',
	options: [
		{ name: 'Email', value: 'email' },
		{ name: 'Person', value: 'person' },
	],
	default: 'email',
	description: 'How to tell who is meant',
};

const email: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. nathan@example.com',
	displayOptions: { show: { by: ['email'] } },
	description: 'Address with which the person is registered',
};

/** Takes a person off a session. */
export const unregister: Operation = {
	value: 'unregister',
	name: 'Unregister',
	action: 'Unregister a person from a session',
	description: 'Remove the registration of a person for a session',
	fields: [
		sessionLocator,
		by,
		email,
		{ ...sessionPersonLocator, displayOptions: { show: { by: ['person'] } } },
	],
	run({ api, read }) {
		const sessionId = read.id('sessionId');
		if (read.text('by') === 'person') {
			return deletion(api, {
				path: pathTo`/sessions/${sessionId}/people/${read.id('personId')}`,
			});
		}
		return deletion(api, {
			path: pathTo`/sessions/${sessionId}/people`,
			query: { 'filter[email]': read.needed('email') },
		});
	},
};
