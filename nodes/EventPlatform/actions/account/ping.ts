import type { ItemOperation } from '../operation';

export const ping: ItemOperation = {
	action: 'Check connection',
	description: 'Check that Livestorm answers and accepts the credential',
	fields: [],
	async run({ client }) {
		await client.send({ method: 'GET', path: '/ping', mayExceedQuota: true });
		return { ok: true };
	},
};
