import { Editor } from '../../host/editor';
import { executionEnd, executionsOf } from '../../host/execution';
import { startN8n, type N8n } from '../../host/n8n';
import { freePort } from '../../host/ports';
import { provisionCredentials } from '../../host/provision';
import { until } from '../../host/until';
import { owner, startTestedN8n, type TestedN8n } from '../support/n8n/n8n';
import { eventPlatformPollingTrigger, publish, saved, workflowOf } from '../support/n8n/workflows';
import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { makeSession } from '../support/platform/platformRecords';
import { seededEvent } from '../support/platform/seededIds';
import { minuteMs } from '../support/time/units';

jest.setTimeout(15 * minuteMs);

let tested: TestedN8n;
let sandbox: TestSandbox;
let restarted: N8n | undefined;

beforeAll(async () => {
	tested = await startTestedN8n();
	sandbox = await sandboxForTests({ redirectUri: tested.redirectUri });
});

afterAll(async () => {
	await restarted?.stop();
	await tested?.close();
});

/** Plans a session; gives its id. */
async function plan(name: string, minutesAhead: number): Promise<string> {
	const start = new Date(Date.now() + minutesAhead * minuteMs).toISOString();
	return await makeSession(sandbox, seededEvent, { name, estimated_started_at: start });
}

/** n8n ends and starts again with what it has stored. Gives the editor of the new one. */
async function restart(): Promise<Editor> {
	const { n8n, installation, userFolder } = tested;
	await n8n.stop();
	restarted = await startN8n(installation, { userFolder, port: await freePort() });
	const editor = new Editor(restarted.url);
	await editor.signIn(owner);
	return editor;
}

test('a reminder an hour before runs once, although n8n is restarted after it', async () => {
	const first = await plan('First', 61);
	const { token } = await provisionCredentials(tested.editor, sandbox);
	const trigger = eventPlatformPollingTrigger(token, { events: ['session.starting'] });
	const id = await saved(tested.editor, workflowOf('Remind', trigger));
	const run = async (editor: Editor, nth: number) => {
		const nthRun = async () => (await executionsOf(editor, id))[nth];
		const execution = await until(`run ${nth}`, nthRun, 5 * minuteMs);
		return (await executionEnd(editor, execution)).output(trigger.name);
	};
	// The list of the activation shows it as well, so that it is due some minutes later, after the restart.
	const second = await plan('Second', 65);
	await publish(tested.editor, id);

	expect(await run(tested.editor, 0)).toMatchObject([
		{ event: 'session.starting', id: first, name: 'First', lead: '1 hour', starts_in_minutes: 60 },
	]);
	const editor = await restart();
	expect(await run(editor, 1)).toMatchObject([{ id: second, name: 'Second', lead: '1 hour' }]);
	expect(await executionsOf(editor, id)).toHaveLength(2);
	const reads = (await sandbox.requests()).filter(({ method, path }) => {
		return method === 'GET' && path.startsWith('/v1/sessions/');
	});
	expect(reads.map(({ path }) => path)).toEqual(
		[first, second].map((each) => `/v1/sessions/${each}`),
	);
});
