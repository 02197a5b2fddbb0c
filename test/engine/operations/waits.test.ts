import '../../support/time/fasterClock';
import { operate } from '../../support/n8n/operation';
import { bulkRegister, numberedPeople } from '../../support/runs/bulkScene';
import { sandboxForTests, type TestSandbox } from '../../support/platform/sandbox';
import { linesOfLog } from '../log';
import { byId } from '../../support/n8n/locators';
import { upcomingSession } from '../../support/platform/seededIds';

/** How often the platform made a run wait. */

let sandbox: TestSandbox;

beforeEach(async () => {
	sandbox = await sandboxForTests({ rate: 0, seedPeople: 5 });
});

const refuse = (times: number) =>
	sandbox.faults([{ match: { path: '/v1/*' }, times, do: '429', retryAfter: 2 }]);
const waits = (often: string) => `The platform asked to wait ${often} (429).`;
const sessionId = byId(upcomingSession);

test('are told once by Bulk Register, and in its log', async () => {
	const lines = linesOfLog('info');
	await refuse(3);
	const { hints } = await bulkRegister(sandbox, numberedPeople(60));
	expect(hints).toEqual([
		expect.stringMatching(/^60 registered, 7 requests, \d+ s$/),
		waits('3 times'),
	]);
	expect(lines()).toContainEqual(
		expect.stringMatching(/7 requests, \d+ s\. The platform asked to wait 3 times/),
	);
});

test('are told once for the items of any other operation', async () => {
	await refuse(2);
	const items = [{}, {}, {}];
	const { hints } = await operate(sandbox, 'session.get', { sessionId }, { items });
	expect(hints).toEqual([waits('2 times')]);
});

test('are told where a request was given up and the workflow goes on', async () => {
	await refuse(1_000);
	const settings = { onError: 'continueErrorOutput' } as const;
	const { outputs, hints } = await operate(sandbox, 'session.get', { sessionId }, { settings });
	expect(outputs[1]?.[0]?.json.error).toMatch(/too many requests/);
	expect(hints).toEqual([waits('14 times')]);
});

test('are not told where there were none', async () => {
	expect((await operate(sandbox, 'session.get', { sessionId })).hints).toEqual([]);
});
