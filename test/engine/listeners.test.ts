import { connect } from '../../nodes/EventPlatform/n8n/connect';
import { anyServer } from '../support/anyServer';
import { runWorkflow, tokenCredential } from '../support/engine';
import { probe } from '../support/probe';

test('sixty requests that wait for their turn can be cancelled, and Node warns of nothing', async () => {
	const warnings: string[] = [];
	const note = ({ name }: Error) => void warnings.push(name);
	process.on('warning', note);
	const { baseUrl } = await anyServer((response) => {
		setTimeout(() => response.writeHead(200).end('{"id":"1"}'), 500);
	});
	let measured = () => {};
	const cancel = new Promise<void>((resolve) => (measured = resolve));
	const node = probe(async (context) => {
		const { api, clock, signal } = await connect(context);
		if (!signal) throw new Error('A run can be cancelled');
		let answered = 0;
		const requests = Array.from({ length: 60 }, async () => {
			await Promise.all([api({ method: 'GET', path: '/ping' }), clock.sleep(100, signal)]);
			answered += 1;
		});
		while (answered < 5) await clock.sleep(100);
		measured();
		await Promise.allSettled(requests);
		return [];
	});
	const credential = tokenCredential({ baseUrl, apiToken: 'token' });
	const { run } = await runWorkflow({ node, credential, cancel });
	process.off('warning', note);
	expect(run.status).toBe('canceled');
	expect(warnings).toEqual([]);
});
