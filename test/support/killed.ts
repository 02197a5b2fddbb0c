import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { type TestSandbox, until } from './sandbox';

/** Starts a run over so many people in a process of its own, and kills it at that moment. */
export async function killedWhen(
	{ baseUrl, apiToken, state }: TestSandbox,
	count: number,
	isMoment: () => Promise<boolean>,
	parameters: INodeParameters = {},
): Promise<void> {
	const program = join(__dirname, 'bulkChild.ts');
	const words = [baseUrl, apiToken, String(count), JSON.stringify(parameters)];
	const child = spawn(process.execPath, ['--import', 'tsx', program, ...words], {
		stdio: ['ignore', 'ignore', 'inherit'],
		// It cannot tidy up after itself; what is in our folder goes with it.
		env: { ...process.env, TMPDIR: process.env.N8N_USER_FOLDER },
	});
	const ended = new Promise((done) => child.once('exit', done));
	let isRunning = true;
	void ended.then(() => (isRunning = false));
	while (isRunning && !(await isMoment())) {
		await new Promise((later) => setTimeout(later, 50));
	}
	expect(isRunning).toBe(true);
	child.kill('SIGKILL');
	await ended;
	// The platform goes on with what it was sent. Its jobs end first, so that the machine's speed decides nothing.
	await until(async () => {
		const { jobs } = await state();
		return (jobs as { status: string }[]).every(({ status }) => status !== 'processing');
	});
}
