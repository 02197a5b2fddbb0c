import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import axios from 'axios';
import type { Workflow } from '../../../host/editor';
import type { Installation } from '../../../host/installation';
import { seededId } from '../../../sandbox/seed/ids';
import type { Access } from '../../../sandbox/server';
import { startProgram } from '../../support/runs/program';
import { registered } from '../../support/platform/registrants';
import type { Cost } from '../cost';
import { startSandboxProcess, startSlowLine } from '../processes';
import type { Contender, Task } from './contenders';

/** How much of what a contender said is not so. */
interface Verdict {
	/** People said to be registered who are not, or not to be who are. */
	wrong: number;
	/** People of whom nothing, or nothing certain, was said; records that were not listed. */
	unknown: number;
}

/** The figures of one contender for one task. */
export interface Measured extends Verdict {
	task: string;
	contender: string;
	/** Nodes of the workflow beside the one that starts it; null: there is no workflow. */
	nodes: number | null;
	cost: Cost;
	error?: string;
	requests: number;
	/** Requests answered with 429. */
	refused: number;
}

interface Result {
	cost: Cost;
	output: unknown[];
	error?: string;
}

/** The input of a contender: people or one empty item, and where the platform is. */
export interface TaskInput {
	items: Array<{ email?: string }>;
	access: { baseUrl: string; apiToken: string; sessionId: string };
}

export type RunWorkflow = (workflow: Workflow, input: TaskInput) => Promise<Result>;

/** This node sends five a second to a platform that names no limit, so this platform names more than it can answer. */
const fastRate = 400;

/** One contender at one task, against a sandbox of its own that is the same for all. */
export async function measure(
	task: Task,
	{ name, built, count = task.count }: Contender,
	installation: Installation,
	runWorkflow: RunWorkflow,
): Promise<Measured> {
	const isList = task.kind === 'list';
	const pace = task.isUnlimited
		? ['--rate', String(fastRate), '--task-ms', '0']
		: ['--rate', '5', '--latency-ms', isList ? '300' : '0'];
	const people = isList ? ['--seed-people', String(count)] : ['--seed-people', '0'];
	const sandbox = await startSandboxProcess([...pace, '--monthly', '0', ...people]);
	const isFar = !isList && !task.isUnlimited;
	const line = isFar ? await startSlowLine(sandbox.baseUrl, task.failingShare) : null;
	try {
		const { apiToken } = sandbox;
		const sessionId = seededId('session', 1);
		const input = {
			access: { baseUrl: line?.baseUrl ?? sandbox.baseUrl, apiToken, sessionId },
			items: isList ? [{}] : peopleOf(count, task.badShare),
		};
		const workflow = typeof built === 'function' ? built(input.access) : null;
		const { cost, output, error } = workflow
			? await runWorkflow(workflow, input)
			: await inChild(installation, 'script', { ...input, ...built });
		const { requests, refused } = await sandbox.requests();
		const isRight = isList
			? { wrong: 0, unknown: Math.max(0, count - output.length) }
			: judge(input.items, output, await registrants(sandbox, sessionId));
		const nodes = workflow && workflow.nodes.length - 1;
		const measured = { task: task.name, contender: name, nodes, cost, error, ...isRight };
		return { ...measured, requests: requests.length, refused };
	} finally {
		await line?.stop();
		await sandbox.stop();
	}
}

/** Gives the addresses of the registered people, as the platform tells anybody. */
async function registrants({ baseUrl, apiToken }: Access, sessionId: string) {
	const headers = { Authorization: apiToken };
	const api = axios.create({ baseURL: `${baseUrl}/v1`, headers, validateStatus: null });
	return new Set<string | undefined>(await registered({ api }, sessionId));
}

/** n8n's engine without its server. */
export const inEngine =
	(installation: Installation): RunWorkflow =>
	(workflow, input) =>
		inChild(installation, 'inEngine', { ...input, workflow });

/** A process of its own on the Node of the prepared n8n, so that time and memory are of this work alone. */
async function inChild(installation: Installation, name: string, task: object): Promise<Result> {
	const folder = mkdtempSync(join(tmpdir(), 'event-platform-compare-'));
	const files = [join(folder, 'task.json'), join(folder, 'result.json')] as const;
	writeFileSync(files[0], JSON.stringify(task));
	const program = startProgram(join(__dirname, `${name}.ts`), files, {
		node: installation.node,
		flags: ['--expose-gc', '--require', join(__dirname, 'n8nModules.cjs')],
		env: { N8N_HOME_FOLDER: resolve(installation.n8n, '../../../..') },
	});
	try {
		const code = await program.ended;
		if (code !== 0) throw new Error(`${name} ended with ${code}: ${program.printed()}`);
		return JSON.parse(readFileSync(files[1], 'utf8')) as Result;
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function peopleOf(count: number, badShare = 0) {
	const every = badShare > 0 ? Math.round(1 / badShare) : Infinity;
	return Array.from({ length: count }, (_, index) => {
		const isBad = index % every === every - 1;
		return { email: isBad ? `person ${index} at example` : `person-${index}@example.com` };
	});
}

/** An item of ours or of the loop names the address; the result of a task has it in its record, if it has one. */
interface Said {
	email?: string;
	status: string;
	data?: { attributes?: { email?: string } };
}

/** Compares what a contender said of each person with what the platform knows. */
function judge(
	people: TaskInput['items'],
	output: unknown[],
	there: ReadonlySet<string | undefined>,
): Verdict {
	const said = new Map(
		(output as Said[]).map(({ email, status, data }) => [email ?? data?.attributes?.email, status]),
	);
	const verdict: Verdict = { wrong: 0, unknown: 0 };
	for (const { email } of people) {
		const status = said.get(email) ?? 'unknown';
		const isRegistered = ['registered', 'already_registered', 'succeeded'].includes(status);
		if (status === 'unknown') verdict.unknown++;
		else if (isRegistered !== there.has(email)) verdict.wrong++;
	}
	return verdict;
}
