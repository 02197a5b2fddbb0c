import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node.js';
import { bulkRegister, crowd } from './bulk';

/** A process of its own that registers people until it is done or killed. */
async function main([baseUrl = '', apiToken = '', count = '']: string[]): Promise<void> {
	const sandbox = { baseUrl, apiToken };
	const scene = { node: new EventPlatform() };
	const { error } = await bulkRegister(sandbox, crowd(Number(count)), { scene });
	if (error) throw error;
}

void main(process.argv.slice(2));
