import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../../nodes/EventPlatform/n8n/connect';
import { runWorkflow } from '../../support/n8n/engine';
import { linesOfLog } from '../log';
import { probe } from '../probeNode';
import { sandboxForTests } from '../../support/platform/sandbox';
import { startPlatform } from '../../support/n8n/startPlatform';
import { bulkRegister, numberedPeople } from '../../support/runs/bulkScene';
import { eventually } from '../../support/time/eventually';

test('Stop ends a run at once, and the log has the counts and why it ended', async () => {
	const lines = linesOfLog('info');
	const slow = await sandboxForTests({ rate: 5 });
	const hasSent = async () => (await slow.requests()).some(({ method }) => method === 'POST');
	const cancel = eventually(hasSent);
	await bulkRegister(slow, numberedPeople(2_000), { cancel });
	// n8n does not wait for a node that it has stopped.
	const last = () => lines().find((line) => line.includes('ended early'));
	await eventually(() => last() !== undefined);
	// Those that were under way; all of them would be forty for the jobs alone.
	expect((await slow.requests()).length).toBeLessThan(20);
	expect(last()).toMatch(
		/^Bulk registration: .*\d+ failed.*\. The run ended early\. The run was cancelled\.$/,
	);
});

describe('Stop ends the requests of a run', () => {
	/** Without it they would go on for 40 s, 60 s and 200 s. */
	const patienceMs = 20_000;
	const wantsPause = (response: ServerResponse) =>
		void response.writeHead(429, { 'retry-after': '60' }).end();

	test.each<[string, (response: ServerResponse) => void, number]>([
		['an answer does not come', () => {}, 1],
		['the platform wants a pause', wantsPause, 1],
		['others are first in the line', (response) => void response.end('{}'), 1_000],
	])('while %s, and Node warns of nothing', async (_, answer, times) => {
		const warnings: string[] = [];
		const note = ({ name }: Error) => void warnings.push(name);
		process.on('warning', note);
		let isAsked = () => {};
		let isOver = () => {};
		const cancel = new Promise<void>((resolve) => (isAsked = resolve));
		const over = new Promise<string>((resolve) => (isOver = () => resolve('over')));
		const { credential } = await startPlatform((response) => {
			answer(response);
			// By then the answer has been read, where there is one.
			setTimeout(isAsked, 100);
		});
		const node = probe(async (context) => {
			const { client } = await connect(context);
			const request = { method: 'GET', path: '/events/1' } as const;
			await Promise.allSettled(Array.from({ length: times }, () => client.send(request)));
			isOver();
			return [];
		});
		const { run } = await runWorkflow({ node, credential, cancel });
		const patience = sleep(patienceMs, 'still open', { ref: false });
		expect(await Promise.race([over, patience])).toBe('over');
		process.off('warning', note);
		expect(run.status).toBe('canceled');
		expect(warnings).toEqual([]);
	});
});
