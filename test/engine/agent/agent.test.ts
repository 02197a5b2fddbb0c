import '../../support/fasterClock';
import { getEncoding } from 'js-tiktoken';
import { sandboxForTests, upcomingSession, type TestSandbox } from '../../support/sandbox';
import { makeJob, makeRegistration } from '../operations/making';
import { call } from './agent';
import { tasksOf, type Task } from './tasks';
import { tools } from './tools';

const known = 'known@example.com';
const tokens: number[] = [];
const encoding = getEncoding('cl100k_base');
/** The job is made anew for each task. */
const placeholder = { job: 'JOB', known };
let sandbox: TestSandbox;

beforeAll(async () => {
	sandbox = await sandboxForTests({ seedPeople: 40 });
});
beforeEach(() => sandbox.reset());

const tasks = tasksOf(placeholder);

test.each(tasks.map((task): [string, Task] => [task.ask, task]))('%s', async (_, { ask, tool }) => {
	await makeRegistration(sandbox, upcomingSession, known);
	const job = await makeJob(sandbox, upcomingSession);
	const task = tasksOf({ job, known }).find((one) => one.ask === ask);
	if (!task) throw new Error('The task is lost');
	const before = (await sandbox.requests()).length;

	const { answer, refusal } = await call(sandbox, tools[tool], task.args);

	expect([answer, refusal]).toEqual([
		task.tells ? expect.stringMatching(task.tells) : undefined,
		task.refuses ? expect.stringMatching(task.refuses) : undefined,
	]);
	const requests = (await sandbox.requests()).slice(before);
	expect(requests.map(told)).toEqual(task.calls);
	expect(`${answer ?? ''}${refusal ?? ''}`).not.toMatch(
		/connection_link|password_key|sandbox-token/,
	);
	if (answer !== undefined) tokens.push(encoding.encode(answer).length);
	// An error is for a model to read: short.
	else expect(encoding.encode(refusal ?? '').length).toBeLessThan(200);
});

test('the answers stay small', () => {
	const inOrder = [...tokens].sort((a, b) => a - b);
	expect(inOrder[Math.floor(inOrder.length / 2)]).toBeLessThan(1_000);
});

/** Without pages, and with any job. */
function told({ method, path, query }: { method: string; path: string; query: object }): string {
	const parts = Object.entries(query)
		.filter(([name]) => !name.startsWith('page'))
		.map(([name, value]) => `${name}=${String(value)}`)
		.sort();
	const short = path
		.replace(/^\/v1/, '')
		.replace(/^(\/jobs\/)[^/]+(\/tasks)$/, '$1*$2')
		.replace(/^(\/sessions\/.+\/people\/)(?!bulk).+$/, '$1*');
	return `${method} ${short}${parts.length > 0 ? `?${parts.join('&')}` : ''}`;
}
