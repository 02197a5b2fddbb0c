import type { Operation } from '../operation';

export const ping: Operation = {
	value: 'ping',
	action: 'Check connection',
	description: 'Check that the platform answers and accepts the credential',
	usesReserve: true,
	fields: [],
	async run({ api }) {
		await api({ method: 'GET', path: '/ping' });
		return { ok: true };
	},
};
