import type { ApiRecord } from '../platform';
import { included } from './filters';
import type { Handler } from './handler';
import { userRecord } from './users';

/** Also named in every webhook delivery. */
export const organizationId = '0c9a0000-0000-4000-8000-000000000001';

const ping: Handler = () => ({ status: 200 });

/** The user behind the token, who owns the workspace, or the workspace. */
const getMe: Handler = (call) => {
	const { meShape } = call.platform.options;
	const owner = call.platform.store.get('SELECT * FROM users ORDER BY seq LIMIT 1');
	if (!owner || meShape === 'organization') return { status: 200, body: { data: organization } };
	const { id, type } = organization;
	const user = userRecord(owner);
	if (meShape === 'userWithOrganization') {
		const attributes = {
			...user.attributes,
			organization: { id, name: organization.attributes['name'] },
		};
		return { status: 200, body: { data: { ...user, attributes } } };
	}
	const data = { ...user, relationships: { organization: { data: { id, type } } } };
	const includesOrganization = included(call).has('organization');
	return { status: 200, body: { data, ...(includesOrganization && { included: [organization] }) } };
};

const organization: ApiRecord = {
	id: organizationId,
	type: 'organizations',
	attributes: { name: 'Sandbox Workspace', slug: 'sandbox-workspace' },
};

const getOrganization: Handler = (call) => {
	if (!included(call).has('users')) return { status: 200, body: { data: organization } };
	const users = call.platform.store.all('SELECT * FROM users ORDER BY seq').map(userRecord);
	const linkage = users.map(({ id, type }) => ({ id, type }));
	const data = { ...organization, relationships: { users: { data: linkage } } };
	return { status: 200, body: { data, included: users } };
};

export const accountHandlers = { ping, getMe, getOrganization };
