import type { INodeParameters } from 'n8n-workflow';
import { startProgram } from '../support/runs/program';
import type { TestSandbox } from '../support/platform/sandbox';
import { eventually } from '../support/time/eventually';

/** Starts a run over so many people in a process of its own, and kills it at that moment. */
export async function killedWhen(
	{ baseUrl, apiToken, state }: TestSandbox,
	count: number,
	isMoment: () => Promise<boolean>,
	parameters: INodeParameters = {},
): Promise<void> {
	const words = [baseUrl, apiToken, String(count), JSON.stringify(parameters)];
	// It cannot tidy up after itself; what is in our folder goes with it.
	const env = { TMPDIR: process.env.N8N_USER_FOLDER };
	const { child, ended, isRunning } = startProgram('test/long/bulkChild.ts', words, {
		env,
	});
	while (isRunning() && !(await isMoment())) {
		await new Promise((later) => setTimeout(later, 50));
	}
	expect(isRunning()).toBe(true);
	child.kill('SIGKILL');
	await ended;
	// The platform goes on with what it was sent. Its jobs end first, so that the machine's speed decides nothing.
	await eventually(async () => {
		const { jobs } = await state();
		return (jobs as { status: string }[]).every(({ status }) => status !== 'processing');
	});
}
