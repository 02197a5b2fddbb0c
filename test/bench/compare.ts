import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { prepareN8n, type Installation } from '../../host/installation';
import { progressOn } from '../../host/progress';
import { seededId } from '../../sandbox/seed/ids';
import { apiRequests, startSandboxProcess } from './sandboxProcess';
import { startSlowLineProcess } from './slowLine';
import { chart } from './compare/chart';
import {
	list,
	register,
	registerInTrouble,
	withoutLimit,
	type Contender,
	type Task,
} from './compare/contenders';
import { runInN8n } from './compare/inN8n';
import type { Measured, Result } from './compare/measured';
import { judge } from './compare/truth';

/**
 * The same tasks with this node, with n8n's own nodes and with a script, each in a process of its own against a sandbox of
 * its own: `list`, `register`, `trouble`, or all three; `resources`: what 100,000 records and people cost where the platform
 * slows nobody down. A number sets how many people; `n8n` runs the workflows in a real n8n instead of its engine alone; `chart`
 * writes the picture of the README.
 */
export async function run(words: string[]): Promise<void> {
	const given = words.find((word) => /^\d+$/.test(word));
	const count = Number(given ?? 1_000);
	const tasks = {
		list: list(count * 2),
		register: register(count),
		trouble: registerInTrouble(count),
	};
	const named = words.includes('resources')
		? withoutLimit(Number(given ?? 100_000))
		: Object.values(tasks).filter((_, index) => words.includes(Object.keys(tasks)[index] ?? ''));
	const installation = await prepareN8n(
		resolve(__dirname, '../../host'),
		progressOn(process.stderr),
	);
	const all: Measured[] = [];
	for (const task of named.length > 0 ? named : Object.values(tasks)) {
		console.log(`\n${task.name}\n\n${heading}`);
		for (const contender of task.contenders) {
			const measured = await measure(task, contender, installation, words.includes('n8n'));
			console.log(row(measured));
			all.push(measured);
		}
		if (task.isUnlimited) console.log(`\n${againstScript(all.slice(-task.contenders.length))}`);
	}
	if (words.includes('chart')) {
		writeFileSync(resolve(__dirname, '../../docs/images/comparison.svg'), chart(all));
	}
}

export async function measure(
	task: Task,
	{ name, built }: Contender,
	installation: Installation,
	isReal: boolean,
): Promise<Measured> {
	const isList = 'script' in built ? built.script === 'list' : task.name.startsWith('List');
	const isSlow = !task.isUnlimited;
	const sandbox = await startSandboxProcess([
		...['--rate', isSlow ? '5' : String(fastRate), '--monthly', '0'],
		...['--latency-ms', isList && isSlow ? '300' : '0', ...(isSlow ? [] : ['--task-ms', '0'])],
		...['--seed-people', isList ? String(task.count) : '0'],
	]);
	const line =
		isList || !isSlow ? null : await startSlowLineProcess(sandbox.baseUrl, task.failingShare);
	try {
		const access = {
			baseUrl: line?.baseUrl ?? sandbox.baseUrl,
			apiToken: sandbox.apiToken,
			sessionId: seededId('session', 1),
		};
		const items = isList ? [{}] : people(task.count, task.badShare);
		const given = { items, access };
		const workflow = 'workflow' in built ? built.workflow(access) : null;
		const { cost, output, error } =
			workflow === null
				? await inChild(installation, 'plainScript', { ...given, ...built })
				: isReal
					? await runInN8n(installation, workflow, given)
					: await inChild(installation, 'inEngine', { ...given, workflow });
		const requests = await apiRequests(sandbox.baseUrl);
		const there = isList ? null : await registrants(sandbox, access.sessionId);
		return {
			task: task.name,
			contender: name,
			nodes: workflow && workflow.nodes.length - 1,
			requests: requests.length,
			refused: requests.filter(({ status }) => status === 429).length,
			cost,
			verdict: there
				? judge(
						items.flatMap((item) => ('email' in item ? [item.email] : [])),
						output,
						there,
					)
				: { right: output.length, wrong: 0, unknown: Math.max(0, task.count - output.length) },
			...(error !== undefined && { error }),
		};
	} finally {
		line?.stop();
		await sandbox.stop();
	}
}

function people(count: number, badShare: number) {
	const every = badShare > 0 ? Math.round(1 / badShare) : Infinity;
	return Array.from({ length: count }, (_, index) => ({
		email:
			index % every === every - 1 ? `person ${index} at example` : `person-${index}@example.com`,
	}));
}

async function registrants(
	{ baseUrl, apiToken }: { baseUrl: string; apiToken: string },
	session: string,
) {
	const emails = new Set<string>();
	for (let next: number | null = 0; next !== null;) {
		const answer: Response = await fetch(
			`${baseUrl}/v1/sessions/${session}/people?page[number]=${next}&page[size]=50`,
			{ headers: { authorization: apiToken } },
		);
		if (answer.status === 429) {
			await new Promise((wake) => setTimeout(wake, 1_000));
			continue;
		}
		const page = (await answer.json()) as {
			data: Array<{ attributes: { email: string } }>;
			meta: { next_page: number | null };
		};
		for (const { attributes } of page.data) emails.add(attributes.email);
		next = page.meta.next_page;
	}
	return emails;
}

/** A process of its own on the Node of the prepared n8n, so that time and memory are of this work alone. */
async function inChild(installation: Installation, program: string, task: object): Promise<Result> {
	const folder = mkdtempSync(join(tmpdir(), 'event-platform-compare-'));
	const [taskFile, resultFile] = [join(folder, 'task.json'), join(folder, 'result.json')];
	writeFileSync(taskFile, JSON.stringify(task));
	const modules = ['--require', join(__dirname, 'compare/n8nModules.cjs'), '--import', 'tsx'];
	const main = join(__dirname, `compare/${program}.ts`);
	const child = spawn(installation.node, ['--expose-gc', ...modules, main, taskFile, resultFile], {
		stdio: ['ignore', 'ignore', 'inherit'],
		env: { ...process.env, N8N_HOME_FOLDER: resolve(installation.n8n, '../../../..') },
	});
	process.once('exit', () => child.kill());
	const code = await new Promise((done) => child.once('exit', done));
	try {
		if (code !== 0) throw new Error(`${program} ended with ${String(code)}`);
		return JSON.parse(readFileSync(resultFile, 'utf8')) as Result;
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** Of a platform that names no limit this node takes five a second, so this one names more than it can answer. */
const fastRate = 400;
const goal = 1.3;

function againstScript(measured: readonly Measured[]): string {
	const [ours, script] = [measured.at(0)?.cost, measured.at(-1)?.cost];
	if (!ours || !script) throw new Error('There is nothing to compare with');
	const ratios = { CPU: ours.cpuSeconds / script.cpuSeconds, memory: ours.peakMb / script.peakMb };
	return Object.entries(ratios)
		.map(([name, ratio]) => {
			const verdict = ratio <= goal ? 'met' : 'MISSED';
			return `${name}: ${ratio.toFixed(2)} times the script (goal at most ${goal}: ${verdict})`;
		})
		.join('\n');
}

const heading = [
	'| With | Seconds | Requests | 429 | Wrong | Unknown | Nodes | CPU s | Memory MB |',
	'| --- | --: | --: | --: | --: | --: | --: | --: | --: |',
].join('\n');

function row({ contender, cost, requests, refused, verdict, nodes, error }: Measured): string {
	const cells = [
		contender,
		cost.seconds.toFixed(1),
		requests,
		refused,
		verdict?.wrong ?? '–',
		verdict?.unknown ?? '–',
		nodes ?? '–',
		Number.isNaN(cost.cpuSeconds) ? '–' : cost.cpuSeconds.toFixed(1),
		Number.isNaN(cost.peakMb) ? '–' : cost.peakMb.toFixed(0),
	];
	return `| ${cells.join(' | ')} |${error === undefined ? '' : `\nended with: ${error}`}`;
}
