import { readFile, writeFile } from 'node:fs/promises';
import { executionEnd, executionsOf } from '../../host/execution';
import { provisionCredentials } from '../../host/provision';
import { until } from '../../host/until';
import { startTestedN8n, type TestedN8n } from '../support/n8n/n8n';
import { guestAddresses, sandboxForTests } from '../support/platform/sandbox';
import { eventPlatformPollingTrigger, publish, saved, workflowOf } from '../support/n8n/workflows';

jest.setTimeout(10 * 60_000);

const people = 3_000;
/** The rest comes with the next poll. */
const mostAtOnce = 2_000;

let tested: TestedN8n;

beforeAll(async () => {
	// A small machine: without it V8 takes what there is before it looks for what is garbage.
	tested = await startTestedN8n({ environment: { NODE_OPTIONS: '--max-old-space-size=512' } });
});

afterAll(() => tested?.close());

async function peakMb(): Promise<number> {
	const status = await readFile(`/proc/${tested.n8n.pid}/status`, 'utf8');
	return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}

/** n8n needs the most while it starts, and that is not ours. */
async function forgetPeak(): Promise<void> {
	await writeFile(`/proc/${tested.n8n.pid}/clear_refs`, '5');
}

test('three thousand registrations between two polls are two runs, and n8n stays below 1 GB', async () => {
	const { redirectUri } = tested;
	const sandbox = await sandboxForTests({ rate: 500, taskMs: 0, redirectUri });
	const { token } = await provisionCredentials(tested.editor, sandbox);
	const looks = async () =>
		(await sandbox.requests()).filter(({ path }) => path === '/v1/sessions').length;
	const before = await looks();
	const trigger = eventPlatformPollingTrigger(token, { events: ['people.registered'] });
	const id = await saved(tested.editor, workflowOf('Three thousand', trigger));
	await publish(tested.editor, id);
	await until('the first look', async () => (await looks()) > before, 60_000);

	await forgetPeak();
	for (let first = 0; first < people; first += 50) {
		await sandbox.startJob(guestAddresses(50, `from-${first}`));
	}
	const isComplete = async () => (await executionsOf(tested.editor, id)).length >= 2;
	await until('both runs', isComplete, 300_000);
	const peak = await peakMb();
	const ids = await executionsOf(tested.editor, id);
	const runs = await Promise.all(
		ids.map((executionId) => executionEnd(tested.editor, executionId)),
	);
	const items = runs.flatMap((run) => run.output(trigger.name));
	expect(runs.map((run) => [run.status, run.output(trigger.name).length])).toEqual([
		['success', mostAtOnce],
		['success', people - mostAtOnce],
	]);
	expect(new Set(items.map(({ email }) => email)).size).toBe(people);
	expect(peak).toBeLessThan(1_024);
});
