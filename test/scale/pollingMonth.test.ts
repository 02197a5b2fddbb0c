import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { executionEnd, executionsOf } from '../../host/execution';
import { Editor } from '../../host/editor';
import { startN8n, type N8n } from '../../host/n8n';
import { freePort } from '../../host/ports';
import { provisionCredentials } from '../../host/provision';
import { until } from '../../host/until';
import { owner, startTestedN8n, type TestedN8n } from '../support/n8n/n8n';
import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { eventPlatformPollingTrigger, publish, saved, workflowOf } from '../support/n8n/workflows';
import { dayMs } from '../support/time/units';

jest.setTimeout(10 * 60_000);

const triggers = 3;
/** A third of the 10,000 requests that the smallest plan has in 30 days. */
const third = 3_333;
/** The name of the trigger. */
const name = 'When it is found';
const nights = 2;
const crashes = 2;
const lifeOfCrashMs = 16 * 60_000;

let tested: TestedN8n;
let sandbox: TestSandbox;
let running: N8n | undefined;

beforeAll(async () => {
	tested = await startTestedN8n();
	// It says nothing of the month, so that nothing but what n8n has stored is left after a start.
	sandbox = await sandboxForTests({ limitHeaders: false, redirectUri: tested.redirectUri });
});

afterAll(async () => {
	await running?.stop();
	await tested?.close();
});

async function polls(): Promise<number> {
	const requests = await sandbox.requests();
	return requests.filter(({ path }) => path === '/v1/sessions').length;
}

/** Starts n8n with a clock that jumps from poll to poll, and waits until so much time has passed. */
async function live(name: string, from: number, lifeMs: number): Promise<N8n> {
	const done = join(tested.userFolder, `${name}.done`);
	const environment = {
		NODE_OPTIONS: `--require=${join(__dirname, 'movedClock.cjs')}`,
		MOVED_CLOCK_FROM: String(from),
		MOVED_CLOCK_UNTIL: String(from + lifeMs),
		MOVED_CLOCK_DONE: done,
	};
	const { installation, userFolder } = tested;
	running = await startN8n(installation, { userFolder, port: await freePort(), environment });
	await until(`the end of ${name}`, () => Promise.resolve(existsSync(done)), 120_000);
	return running;
}

/** Three published workflows that poll every half hour, which is more than a third of the month allows. */
async function publishTriggers(): Promise<string[]> {
	const { token } = await provisionCredentials(tested.editor, sandbox);
	const pollTimes = { item: [{ mode: 'everyX', unit: 'minutes', value: 30 }] };
	const ids: string[] = [];
	for (let index = 0; index < triggers; index++) {
		const trigger = eventPlatformPollingTrigger(token, {
			events: ['people.registered'],
			pollTimes,
		});
		const id = await saved(tested.editor, workflowOf(`Polling ${index}`, trigger));
		await publish(tested.editor, id);
		ids.push(id);
	}
	await until('the first polls', async () => (await polls()) >= triggers);
	return ids;
}

test('three triggers of an n8n that is restarted each night, and then crashes, keep to a third of the month', async () => {
	const workflows = await publishTriggers();
	await tested.n8n.stop();

	// The requests that a new trigger may spend at once belong to the day before.
	const before = await polls();
	const begun = Date.now() + dayMs;
	for (let night = 0; night < nights; night++) {
		const n8n = await live(`day ${night}`, begun + night * dayMs, dayMs);
		await n8n.stop();
	}
	const ofDays = (await polls()) - before;
	const ofMonth = (ofDays / nights) * 30;
	expect(ofMonth).toBeLessThanOrEqual(third);
	expect(ofMonth).toBeGreaterThan(third / 2);

	const crashing = begun + nights * dayMs;
	for (let crash = 0; crash < crashes; crash++) {
		const n8n = await live(`crash ${crash}`, crashing + crash * lifeOfCrashMs, lifeOfCrashMs);
		n8n.kill();
		await n8n.ended;
	}
	const ofCrashes = (await polls()) - before - ofDays;
	expect(ofCrashes).toBeLessThanOrEqual(triggers);

	// All of them still tell what happened meanwhile.
	await sandbox.register('somebody@example.org');
	const last = await live('last day', crashing + dayMs, dayMs / 8);
	const editor = new Editor(last.url);
	await editor.signIn(owner);
	for (const id of workflows) {
		const executions = await executionsOf(editor, id);
		const runs = await Promise.all(
			executions.map((executionId) => executionEnd(editor, executionId)),
		);
		// A jump of the clock may come while a poll is under way, which then has no time left.
		const outputs = runs
			.filter(({ status }) => status === 'success')
			.map((run) => run.output(name));
		expect(outputs).toMatchObject([[{ email: 'somebody@example.org' }]]);
	}
});
