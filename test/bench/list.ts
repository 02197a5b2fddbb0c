import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node.js';
import { runWorkflow, tokenCredential } from '../support/engine';
import { startSandboxProcess } from './sandboxProcess';

const records = 5_000;
const perSecond = 5;
const goals = { ratio: 1.06, refused: 0.01 };

/** Lists 5,000 people as a node does it inside n8n's engine: how near to the limit of 5 a second? */
export async function run(words: string[]): Promise<void> {
	const count = Number(words[0] ?? records);
	const options = ['--seed-people', String(count), '--rate', String(perSecond)];
	const sandbox = await startSandboxProcess([...options, '--latency-ms', '300']);
	try {
		const started = performance.now();
		const { items, error } = await runWorkflow({
			node: new EventPlatform(),
			parameters: { resource: 'person', operation: 'getAll', returnAll: true },
			credential: tokenCredential(sandbox),
		});
		const seconds = (performance.now() - started) / 1_000;
		if (error) throw error;
		report(items.length, seconds, await log(sandbox.baseUrl));
	} finally {
		await sandbox.stop();
	}
}

async function log(baseUrl: string): Promise<Array<{ path: string; status: number }>> {
	const answer = await fetch(`${baseUrl}/_sandbox/requests`);
	const all = (await answer.json()) as Array<{ path: string; status: number }>;
	return all.filter(({ path }) => path.startsWith('/v1/'));
}

function report(listed: number, seconds: number, requests: Array<{ status: number }>): void {
	const pages = Math.ceil(listed / 50);
	const ratio = seconds / (pages / perSecond);
	const refused = requests.filter(({ status }) => status === 429).length / requests.length;
	const verdict = ratio <= goals.ratio && refused <= goals.refused ? 'met' : 'MISSED';
	console.log(
		[
			`${listed} records on ${pages} pages at ${perSecond} requests a second and 300 ms latency`,
			`requests      ${requests.length}`,
			`seconds       ${seconds.toFixed(2)}`,
			`ratio         ${ratio.toFixed(3)} of pages / ${perSecond} (goal at most ${goals.ratio})`,
			`refused (429) ${(refused * 100).toFixed(2)} % (goal at most ${goals.refused * 100} %)`,
			`goals         ${verdict}`,
		].join('\n'),
	);
	if (verdict !== 'met') process.exitCode = 1;
}
