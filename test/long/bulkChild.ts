import type { INodeParameters } from 'n8n-workflow';
// The file is named with its ending, because tsx would take the JSON file of the same name otherwise.
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node.js';
import { bulkRegister, numberedPeople } from '../support/runs/bulkScene';

/** A process of its own that registers people, or syncs them, until it is done or killed. */
async function main([baseUrl = '', apiToken = '', count = '', parameters = '{}']: string[]) {
	const sandbox = { baseUrl, apiToken };
	const { error } = await bulkRegister(sandbox, numberedPeople(Number(count)), {
		node: new EventPlatform(),
		parameters: JSON.parse(parameters) as INodeParameters,
	});
	if (error) throw error;
}

void main(process.argv.slice(2));
