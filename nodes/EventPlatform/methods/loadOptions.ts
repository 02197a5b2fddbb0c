import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { listRecords } from '../core/http/paginate';
import { connect } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';
import { userChoice } from './choices';

/** More users than that nobody looks through in a menu; IDs can be given by an expression. */
const mostUsers = 500;

async function users(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	try {
		const { api } = await connect(this);
		return (await listRecords(api, '/users', { limit: mostUsers })).map(userChoice);
	} catch (error) {
		throw toNodeError(this.getNode(), error, { scope: 'admin' });
	}
}

export const loadOptions = { users };
