import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
// The ending is named because Node would otherwise take EventPlatform.node.json, which stands beside it.
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node.js';
import { limiters, type Limiter } from '../../sandbox/access/rateLimit';
import { runWorkflow } from '../support/n8n/engine';
import { startSandboxProcess, startSlowLine } from './processes';
import { tokenCredential } from '../support/n8n/engineConsent';

const perSecond = 5;
const goals = { ratio: 1.06, refused: 0.005 };

export interface Work {
	name: string;
	sandbox(count: number): string[];
	/** Its answers take 100 to 400 ms. */
	isFar: boolean;
	items(count: number): IDataObject[];
	parameters: INodeParameters;
	/** The status of each item that comes out. */
	status?: string;
	/** The goal: requests for fifty records or people. */
	per50: number;
}

/**
 * How near to the limit of 5 a second the node comes inside n8n's engine. Words: how many records or people, the
 * limiters to try, and `loaded` for a machine whose cores are all busy, so that requests leave later than they may.
 */
export async function nearLimit(work: Work, words: readonly string[]): Promise<void> {
	const count = Number(words.find((word) => /^\d+$/.test(word)) ?? 5_000);
	const named = limiters.filter((limiter) => words.includes(limiter));
	for (const limiter of named.length > 0 ? named : limiters) {
		const busy = Array.from({ length: words.includes('loaded') ? availableParallelism() : 0 }, () =>
			spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
		);
		await measure(work, count, limiter).finally(() => busy.forEach((child) => child.kill()));
	}
}

async function measure(work: Work, count: number, limiter: Limiter): Promise<void> {
	const limits = ['--rate', String(perSecond), '--limiter', limiter];
	const sandbox = await startSandboxProcess([...limits, ...work.sandbox(count)]);
	const line = work.isFar ? await startSlowLine(sandbox.baseUrl) : undefined;
	try {
		const started = performance.now();
		const { items, error, hints } = await runWorkflow({
			node: new EventPlatform(),
			credential: tokenCredential({ ...sandbox, ...line }),
			items: work.items(count),
			parameters: work.parameters,
		});
		const seconds = (performance.now() - started) / 1_000;
		if (error) throw error;
		const done = items.filter(({ json }) => json.status === work.status).length;
		const { requests, refused } = await sandbox.requests();
		const per50 = requests.length / Math.ceil(done / 50);
		const ratio = seconds / (requests.length / perSecond);
		const share = refused / requests.length;
		const isFast = per50 <= work.per50 && ratio <= goals.ratio;
		const isMet = done >= count && isFast && share <= goals.refused;
		console.log(
			[
				`${count} ${work.name}, ${perSecond} requests a second (${limiter})`,
				`said by the node  ${hints.map(({ message }) => message).join(' ')}`,
				`done              ${done}`,
				`requests          ${requests.length}`,
				`requests per 50   ${per50.toFixed(3)} (goal at most ${work.per50})`,
				`seconds           ${seconds.toFixed(2)}`,
				`ratio             ${ratio.toFixed(3)} of requests / ${perSecond} (goal at most ${goals.ratio})`,
				`refused (429)     ${(100 * share).toFixed(2)} % (goal at most ${100 * goals.refused} %)`,
				`goals             ${isMet ? 'met' : 'MISSED'}`,
				'',
			].join('\n'),
		);
		if (!isMet) process.exitCode = 1;
	} finally {
		await line?.stop();
		await sandbox.stop();
	}
}
