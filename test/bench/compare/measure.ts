import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Installation } from '../../../host/installation';
import { seededId } from '../../../sandbox/seed/ids';
import { apiRequests, startSandboxProcess } from '../sandboxProcess';
import { startSlowLineProcess } from '../slowLine';
import type { Contender, Task } from './contenders';
import type { Measured, Result, RunWorkflow } from './measured';
import { judge } from './truth';
import { endWithUs } from '../endWithUs';

/** One contender at one task, against a sandbox of its own that is the same for all. */
export async function measure(
	task: Task,
	{ name, built, count = task.count }: Contender,
	installation: Installation,
	runWorkflow: RunWorkflow,
): Promise<Measured> {
	const isList = 'script' in built ? built.script === 'list' : task.name.startsWith('List');
	const isSlow = !task.isUnlimited;
	const sandbox = await startSandboxProcess([
		...['--rate', isSlow ? '5' : String(fastRate), '--monthly', '0'],
		...['--latency-ms', isList && isSlow ? '300' : '0', ...(isSlow ? [] : ['--task-ms', '0'])],
		...['--seed-people', isList ? String(count) : '0'],
	]);
	const line =
		isList || !isSlow ? null : await startSlowLineProcess(sandbox.baseUrl, task.failingShare);
	try {
		const access = {
			baseUrl: line?.baseUrl ?? sandbox.baseUrl,
			apiToken: sandbox.apiToken,
			sessionId: seededId('session', 1),
		};
		const items = isList ? [{}] : people(count, task.badShare);
		const given = { items, access };
		const workflow = 'workflow' in built ? built.workflow(access) : null;
		const { cost, output, error } = workflow
			? await runWorkflow(workflow, given)
			: await inChild(installation, 'plainScript', { ...given, ...built });
		const requests = await apiRequests(sandbox.baseUrl);
		const there = isList ? null : await registrants(sandbox, access.sessionId);
		return {
			task: task.name,
			contender: name,
			nodes: workflow && workflow.nodes.length - 1,
			requests: requests.length,
			refused: requests.filter(({ status }) => status === 429).length,
			cost,
			seconds: [cost.seconds, cost.seconds],
			verdict: there
				? judge(
						items.flatMap((item) => ('email' in item ? [item.email] : [])),
						output,
						there,
					)
				: { right: output.length, wrong: 0, unknown: Math.max(0, count - output.length) },
			...(error !== undefined && { error }),
		};
	} finally {
		line?.stop();
		await sandbox.stop();
	}
}

/** n8n's engine without its server. */
export const inEngine =
	(installation: Installation): RunWorkflow =>
	(workflow, given) =>
		inChild(installation, 'inEngine', { ...given, workflow });

/** A process of its own on the Node of the prepared n8n, so that time and memory are of this work alone. */
async function inChild(installation: Installation, program: string, task: object): Promise<Result> {
	const folder = mkdtempSync(join(tmpdir(), 'event-platform-compare-'));
	const [taskFile, resultFile] = [join(folder, 'task.json'), join(folder, 'result.json')];
	writeFileSync(taskFile, JSON.stringify(task));
	const modules = ['--require', join(__dirname, 'n8nModules.cjs'), '--import', 'tsx'];
	const main = join(__dirname, `${program}.ts`);
	const child = spawn(installation.node, ['--expose-gc', ...modules, main, taskFile, resultFile], {
		stdio: ['ignore', 'ignore', 'inherit'],
		env: { ...process.env, N8N_HOME_FOLDER: resolve(installation.n8n, '../../../..') },
	});
	endWithUs(child);
	const code = await new Promise((done) => child.once('exit', done));
	try {
		if (code !== 0) throw new Error(`${program} ended with ${String(code)}`);
		return JSON.parse(readFileSync(resultFile, 'utf8')) as Result;
	} finally {
		rmSync(folder, { recursive: true });
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

/** Of a platform that names no limit this node takes five a second, so this one names more than it can answer. */
const fastRate = 400;
