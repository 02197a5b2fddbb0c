import type { ApiRecord } from '../platform';
import type { Handler } from './handler';
import { userRecord } from './users';

/** Also named in every webhook delivery. */
export const organizationId = '0c9a0000-0000-4000-8000-000000000001';

const ping: Handler = () => ({ status: 200 });

const getMe: Handler = (call) => {
	const owner = call.platform.store.get('SELECT * FROM users ORDER BY seq LIMIT 1');
	return { status: 200, body: { data: owner ? userRecord(owner) : organization } };
};

const organization: ApiRecord = {
	id: organizationId,
	type: 'organizations',
	attributes: { name: 'Sandbox Workspace' },
};

const getOrganization: Handler = () => ({ status: 200, body: { data: organization } });

export const accountHandlers = { ping, getMe, getOrganization };
