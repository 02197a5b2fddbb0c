import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node.js';
import { limiters, type Limiter } from '../../sandbox/access/rateLimit';
import { seededId } from '../../sandbox/seed/ids';
import { runWorkflow, tokenCredential } from '../support/engine';
import { benchAblation } from './bulkAblation';
import { benchClock } from './bulkClock';
import { underLoad } from './load';
import { apiRequests, startSandboxProcess } from './sandboxProcess';
import { startSlowLineProcess } from './slowLine';

const perSecond = 5;
const people = 5_000;

interface Goals {
	name: string;
	sandbox: string[];
	per50: number;
}

const platforms: Record<string, Goals> = {
	http: { name: 'full results', sandbox: [], per50: 2.1 },
	hidden: {
		name: 'results hidden until the end',
		sandbox: ['--early-results', '404'],
		per50: 3.2,
	},
};

const allParts = [...Object.keys(platforms), 'clock', 'ablation'];

/**
 * `http`, `hidden`, `clock`, `ablation`, or all of them. For the first two also: how many people, the
 * limiters to try, and `loaded` for a machine that is busy otherwise.
 */
export async function run(words: string[]): Promise<void> {
	const count = Number(words.find((word) => /^\d+$/.test(word)) ?? people);
	const parts = allParts.filter((part) => words.includes(part));
	const named = limiters.filter((limiter) => words.includes(limiter));
	const isMeant = (part: string) => parts.length === 0 || parts.includes(part);
	for (const [part, goals] of Object.entries(platforms)) {
		for (const limiter of named.length > 0 ? named : limiters) {
			const bench = () => benchHttp(goals, count, limiter);
			if (isMeant(part)) await underLoad(words.includes('loaded'), bench);
		}
	}
	if (isMeant('clock')) await benchClock();
	if (isMeant('ablation')) await benchAblation();
}

/** The node inside n8n's engine, against a sandbox in a process of its own. */
async function benchHttp(
	{ name, sandbox: options, per50 }: Goals,
	count: number,
	limiter: Limiter,
): Promise<void> {
	const limits = ['--rate', String(perSecond), '--limiter', limiter];
	const sandbox = await startSandboxProcess([...limits, ...options]);
	const line = await startSlowLineProcess(sandbox.baseUrl);
	try {
		const items = Array.from({ length: count }, (_, index) => ({
			email: `person-${index}@example.com`,
		}));
		const started = performance.now();
		const {
			items: output,
			error,
			hints,
		} = await runWorkflow({
			node: new EventPlatform(),
			credential: tokenCredential({ ...sandbox, baseUrl: line.baseUrl }),
			items,
			parameters: {
				resource: 'registration',
				operation: 'bulkRegister',
				sessionId: { __rl: true, mode: 'id', value: seededId('session', 1) },
				fields: { mappingMode: 'defineBelow', value: { email: '={{ $json.email }}' } },
			},
		});
		const seconds = (performance.now() - started) / 1_000;
		if (error) throw error;
		const registered = output.filter(({ json }) => json.status === 'registered').length;
		const requests = await apiRequests(sandbox.baseUrl);
		const refused = requests.filter(({ status }) => status === 429).length / requests.length;
		const cost = requests.length / Math.ceil(count / 50);
		const ratio = seconds / (requests.length / perSecond);
		const isMet = registered === count && cost <= per50 && ratio <= 1.06 && refused <= 0.005;
		console.log(
			[
				`${count} people, ${name}, ${perSecond} requests a second (${limiter}), latency 100 to 400 ms`,
				`said by the node  ${hints.map(({ message }) => message).join(' ')}`,
				`registered        ${registered}`,
				`requests          ${requests.length}`,
				`requests per 50   ${cost.toFixed(3)} (goal at most ${per50}, floor 2)`,
				`seconds           ${seconds.toFixed(2)}`,
				`ratio             ${ratio.toFixed(3)} of requests / ${perSecond} (goal at most 1.06)`,
				`refused (429)     ${(100 * refused).toFixed(2)} % (goal at most 0.5 %)`,
				`goals             ${isMet ? 'met' : 'MISSED'}`,
				'',
			].join('\n'),
		);
		if (!isMet) process.exitCode = 1;
	} finally {
		line.stop();
		await sandbox.stop();
	}
}
