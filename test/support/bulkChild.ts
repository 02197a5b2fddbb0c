import { bulkRegister, crowd } from './bulk';

/** A process of its own that registers people until it is done or killed. */
async function main([baseUrl = '', apiToken = '', count = '']: string[]): Promise<void> {
	const { error } = await bulkRegister({ baseUrl, apiToken }, crowd(Number(count)));
	if (error) throw error;
}

void main(process.argv.slice(2));
