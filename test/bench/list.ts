import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node.js';
import { limiters, type Limiter } from '../../sandbox/access/rateLimit';
import { runWorkflow, tokenCredential } from '../support/engine';
import { underLoad } from './load';
import { apiRequests, startSandboxProcess } from './sandboxProcess';

const records = 5_000;
const perSecond = 5;
const goals = { ratio: 1.06, refused: 0.005 };

/**
 * Lists 5,000 people as a node does it inside n8n's engine: how near to the limit of 5 a second? Words:
 * how many people, the limiters to try, and `loaded` for a machine that is busy otherwise.
 */
export async function run(words: string[]): Promise<void> {
	const count = Number(words.find((word) => /^\d+$/.test(word)) ?? records);
	const named = limiters.filter((limiter) => words.includes(limiter));
	for (const limiter of named.length > 0 ? named : limiters) {
		await underLoad(words.includes('loaded'), () => list(count, limiter));
	}
}

async function list(count: number, limiter: Limiter): Promise<void> {
	const options = ['--seed-people', String(count), '--rate', String(perSecond)];
	const world = ['--latency-ms', '300', '--limiter', limiter];
	const sandbox = await startSandboxProcess([...options, ...world]);
	try {
		const started = performance.now();
		const { items, error } = await runWorkflow({
			node: new EventPlatform(),
			parameters: { resource: 'person', operation: 'getAll', returnAll: true },
			credential: tokenCredential(sandbox),
		});
		const seconds = (performance.now() - started) / 1_000;
		if (error) throw error;
		report(limiter, items.length, seconds, await apiRequests(sandbox.baseUrl));
	} finally {
		await sandbox.stop();
	}
}

function report(
	limiter: Limiter,
	listed: number,
	seconds: number,
	requests: Array<{ status: number }>,
): void {
	const pages = Math.ceil(listed / 50);
	const ratio = seconds / (pages / perSecond);
	const refused = requests.filter(({ status }) => status === 429).length / requests.length;
	const verdict = ratio <= goals.ratio && refused <= goals.refused ? 'met' : 'MISSED';
	console.log(
		[
			`${listed} records on ${pages} pages at ${perSecond} requests a second (${limiter}) and 300 ms latency`,
			`requests      ${requests.length}`,
			`seconds       ${seconds.toFixed(2)}`,
			`ratio         ${ratio.toFixed(3)} of pages / ${perSecond} (goal at most ${goals.ratio})`,
			`refused (429) ${(refused * 100).toFixed(2)} % (goal at most ${goals.refused * 100} %)`,
			`goals         ${verdict}`,
			'',
		].join('\n'),
	);
	if (verdict !== 'met') process.exitCode = 1;
}
