import type { Editor, SavedCredential, WorkflowNode } from '../../host/editor';
import { execute, executionEnd, executionsOf, type Execution } from '../../host/execution';
import { ensureCredential, tokenType, works } from '../../host/provision';
import { until } from '../../host/until';
import type { LoggedRequest } from '../../sandbox/access/requestLog';
import { seededId } from '../../sandbox/seed/ids';
import { openN8n } from '../support/browser/editor';
import { registered } from '../support/platform/registrants';
import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import {
	bulkRegister,
	eventPlatform,
	eventPlatformTrigger,
	manual,
	node,
	nodeType,
	publish,
	saved,
	workflowOf,
} from '../support/n8n/workflows';
import { upcomingSession } from '../support/platform/seededIds';
import { byId } from '../support/n8n/locators';

/** People do these things first. Here a real n8n does them on a platform that has nothing beyond the specification. */

const columns = ['email', 'first_name', 'last_name', 'company', 'job_title'];
const asInList = { mappingMode: 'autoMapInputData', value: null };

/** The session that was held, with questions, recordings and a chat. */
const heldSession = seededId('session', 5);

let sandbox: TestSandbox;
let editor: Editor;
let n8nUrl: string;
let token: SavedCredential;

beforeAll(async () => {
	// The platform takes as many requests as the limit for apps allows (section 8). No header tells this limit.
	const opened = await openN8n({ sandbox: { world: 'exact', rate: 5, earlyResults: '400' } });
	({ sandbox } = opened);
	({ editor } = opened.tested);
	n8nUrl = opened.tested.n8n.url;
	token = await tokenOf(sandbox, 'Token');
});

beforeEach(() => sandbox.reset());

test('the test of the API token needs nothing but the list of events', async () => {
	expect(await works(editor, token)).toBe(true);
	const asked = (await sandbox.requests()).map(generally);
	expect(asked).toEqual(['GET /events 200']);
});

describe('Bulk Register, with Map Automatically', () => {
	test('registers 1,200 people with all columns of their list, with two requests per fifty', async () => {
		// The people are sent in five seconds, and then no job is over: every look is refused.
		const options = { world: 'exact', rate: 5, jobMs: 10_000, earlyResults: '400' } as const;
		const slow = await sandboxForTests(options);
		const people = list(`Array.from({ length: 1200 }, (_, index) => ({
			email: \`guest\${index + 1}@example.com\`, first_name: 'Guest', last_name: String(index + 1),
			company: 'Engines', job_title: 'Engineer',
		}))`);
		const bulk = bulkRegister(await tokenOf(slow, 'Token of slow jobs'), upcomingSession);
		const run = await runNodes(people, bulk);
		expect(statusesOf(run, 'Register in bulk')).toEqual({ registered: 1_200 });
		const requests = await slow.requests();
		expect(await registeredAt(slow)).toHaveLength(1_200);

		for (const { fields } of requests.flatMap(tasksIn)) {
			expect(fields.map(({ id }) => id)).toEqual(columns);
			expect(fields).toContainEqual({ id: 'job_title', value: 'Engineer' });
		}
		const counts = countsOf(requests);
		const refused = counts.get('GET /jobs/:id/tasks 400') ?? 0;
		expect(Object.fromEntries(counts)).toEqual({
			// The columns are those of the workspace, because this platform shows neither the session nor its form.
			'GET /sessions/:id 404': 1,
			'GET /people_attributes 200': 1,
			'POST /sessions/:id/people/bulk 202': 24,
			'GET /jobs/:id/tasks 207': 24,
			// The status is asked for after each refusal, and at times instead of the results.
			'GET /jobs/:id/tasks 400': refused,
			'GET /jobs/:id 200': expect.any(Number) as number,
		});
		expect(refused).toBeGreaterThan(0);
		// Until a job has been seen over, nobody knows how long one takes.
		const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
		expect(total).toBeLessThan(2 * 24 + 2 + 12);
	});

	const shapes = ['flat', '404', '403'] as const;
	test.each(shapes)('sends every column where the attributes are "%s"', async (attributesShape) => {
		await sandbox.changeWorld({ attributesShape });
		const people = list(`[{ email: 'ada@example.com', company: 'Engines', team_size: '1-10' }]`);
		const run = await runNodes(people, bulkRegister(token, upcomingSession));
		expect(statusesOf(run, 'Register in bulk')).toEqual({ registered: 1 });
		const [task] = (await sandbox.requests()).flatMap(tasksIn);
		expect(task?.fields).toEqual([
			{ id: 'email', value: 'ada@example.com' },
			{ id: 'company', value: 'Engines' },
			{ id: 'team_size', value: '1-10' },
		]);
		const isUnknown = attributesShape === '404' || attributesShape === '403';
		const said = run.hints('Register in bulk').join(' ');
		expect(said.includes('The platform shows no registration form')).toBe(isUnknown);
	});

	test('says of a public event that its people cannot be sent again', async () => {
		await sandbox.changeWorld({ publicEvent: true });
		const people = list(
			`['ada', 'grace', 'alan'].map((name) => ({ email: name + '@example.com' }))`,
		);
		const run = await runNodes(people, bulkRegister(token, upcomingSession));
		expect(statusesOf(run, 'Register in bulk')).toEqual({ registered: 3 });
		expect(run.hints('Register in bulk')).toContainEqual(
			expect.stringMatching(/belongs to a public event.*do not run the same list again/),
		);
	});
});

describe('Register', () => {
	test.each(['empty', 'noId'] as const)(
		'sends a person once where the answer is "%s"',
		async (registrationAnswer) => {
			await sandbox.changeWorld({ registrationAnswer });
			const register = eventPlatform('Register', token, {
				resource: 'registration',
				operation: 'register',
				sessionId: byId(upcomingSession),
				fields: asInList,
			});
			const person = `{ email: 'ada@example.com', first_name: 'Ada', company: 'Engines' }`;
			const run = await runNodes(list(`[${person}]`), register);
			expect(run.output('Register')).toMatchObject([
				{ status: 'registered', email: 'ada@example.com' },
			]);
			const counts = countsOf(await sandbox.requests());
			expect(counts.get('POST /sessions/:id/people 201')).toBe(1);
			expect([...counts.keys()].filter((call) => call.startsWith('POST'))).toHaveLength(1);
			expect(await registeredAt(sandbox)).toEqual(['ada@example.com']);
		},
	);
});

describe('records', () => {
	test.each([
		['event', 'getAll', 'events'],
		['personAttribute', 'getAll', 'people_attributes'],
		['session', 'getQuestions', 'questions'],
		['session', 'getRecordings', 'recordings'],
		['session', 'getChatMessages', 'chat_messages'],
	])('of %s, %s', async (resource, operation, type) => {
		const parameters = { resource, operation, returnAll: true, sessionId: byId(heldSession) };
		const run = await runNodes(eventPlatform('List', token, parameters));
		const types = run.output('List').map((record) => record['type']);
		expect(types.length).toBeGreaterThan(1);
		expect(new Set(types)).toEqual(new Set([type]));
	});

	test('of a job: waited for, read, and the result of each person', async () => {
		await sandbox.register('known@example.com');
		const job = (name: string, operation: string, jobId: string) =>
			eventPlatform(name, token, { resource: 'job', operation, jobId });
		const ofBulk = '={{ $("Register in bulk").item.json.job_id }}';
		const run = await runNodes(
			list(`['known@example.com', 'new@example.com'].map((email) => ({ email }))`),
			bulkRegister(token, upcomingSession, { options: { waitForCompletion: false } }),
			job('Wait', 'wait', '={{ $json.job_id }}'),
			job('Get', 'get', ofBulk),
			job('Get Tasks', 'getTasks', ofBulk),
		);
		const [sent] = run.output('Register in bulk');
		expect(sent).toMatchObject({ status: 'processing', total_items: 2 });
		const ended = {
			id: sent?.['job_id'],
			status: 'failed',
			total_items: 2,
			total_processed_items: 2,
			total_success: 1,
			total_fail: 1,
		};
		expect(run.output('Wait')).toEqual([{ ...ended, timed_out: false }]);
		expect(run.output('Get')).toEqual([ended]);
		expect(run.output('Get Tasks')).toMatchObject([
			{ status: 'failed', outcome: 'already_registered', email: 'known@example.com' },
			{ status: 'succeeded', outcome: 'registered', email: 'new@example.com' },
		]);
	});
});

describe('the trigger', () => {
	const listening = (parameters: Record<string, unknown>) =>
		eventPlatformTrigger(token, { events: ['job.ended'], ...parameters });

	test('set to Manual, starts a run when a job has ended', async () => {
		const trigger = listening({ subscription: 'manual' });
		const workflowId = await saved(editor, workflowOf('By hand', trigger));
		await publish(editor, workflowId);
		const url = `${n8nUrl}/webhook/${String(trigger['webhookId'])}/webhook`;
		// n8n answers 404 until it listens.
		await until('n8n to listen', async () => (await fetch(url, { method: 'POST' })).status !== 404);
		// Wherever the platform takes the URL of a webhook, a person has entered this one.
		await sandbox.subscribeByHand(url, 'job.ended');
		const id = await sandbox.startJob(['ada@example.com']);
		const ended = await until('a run', async () => (await executionsOf(editor, workflowId))[0]);
		const run = await executionEnd(editor, ended);
		expect(run.output(trigger.name)).toMatchObject([
			{ event: 'job.ended', id, status: 'ended', total_items: 1, total_success: 1 },
		]);
		await editor.post(`/rest/workflows/${workflowId}/deactivate`, {});
		expect((await sandbox.requests()).map(generally)).not.toContain('GET /webhooks 404');
	});

	test('set to Automatic, says that this platform has no webhooks, and what to do', async () => {
		const workflowId = await saved(editor, workflowOf('By itself', listening({})));
		await publish(editor, workflowId);
		// n8n shows this message to the person who published the workflow.
		const message = await until('the error', async () => {
			interface Publication {
				triggers: Array<{ errorMessage: string | null }>;
			}
			const path = `/rest/workflows/${workflowId}/publication-status`;
			const [trigger] = (await editor.get<Publication>(path)).triggers;
			return trigger?.errorMessage ?? undefined;
		});
		expect(message).toMatch(/no endpoint for webhooks.*Set 'Subscription' to 'Manual'/);
		await editor.post(`/rest/workflows/${workflowId}/deactivate`, {});
	});
});

describe('the editor', () => {
	const ask = <Answer>(path: string, methodName: string) =>
		editor.post<Answer>(`/rest/dynamic-node-parameters/${path}`, {
			path: 'parameters.sessionId',
			methodName,
			nodeTypeAndVersion: { name: nodeType, version: 1 },
			currentNodeParameters: {
				authentication: 'apiToken',
				resource: 'registration',
				operation: 'register',
				sessionId: byId(upcomingSession),
			},
			credentials: { [token.type]: { id: token.id, name: token.name } },
		});

	test('offers a column for each attribute of the workspace', async () => {
		interface Columns {
			fields: Array<{ id: string }>;
		}
		const { fields } = await ask<Columns>('resource-mapper-fields', 'registrationForm');
		expect(fields.map(({ id }) => id)).toEqual(expect.arrayContaining(columns));
	});

	test('says that sessions are not listed, and to enter the ID', async () => {
		await expect(ask('resource-locator-results', 'searchSessions')).rejects.toThrow(
			/does not list the sessions.*enter the ID/,
		);
	});
});

function tokenOf({ baseUrl, apiToken }: TestSandbox, name: string): Promise<SavedCredential> {
	return ensureCredential(editor, { name, type: tokenType, data: { baseUrl, apiToken } });
}

/** Runs these nodes in a row, as a click on "Execute workflow" does. */
async function runNodes(...nodes: WorkflowNode[]): Promise<Execution> {
	const id = await saved(editor, workflowOf('Exact', manual, ...nodes));
	const run = await execute(editor, id, manual.name);
	expect(run.error).toBeUndefined();
	return run;
}

/** A list of people, as the code of a Code node makes it. */
function list(code: string): WorkflowNode {
	const jsCode = `return ${code}.map((json) => ({ json }));`;
	return node('People', 'n8n-nodes-base.code', { jsCode }, 2);
}

/** "GET /jobs/:id 200", whatever the id. */
function generally({ method, path, status }: LoggedRequest): string {
	const withoutIds = path.replace('/v1', '').replace(/[0-9a-f-]{36}/, ':id');
	return `${method} ${withoutIds} ${status}`;
}

/** A busy machine bunches requests, so that some of them are refused with a 429 and sent again. */
function countsOf(requests: readonly LoggedRequest[]): Map<string, number> {
	const counts = new Map<string, number>();
	const judged = requests.filter(({ status }) => status !== 429);
	for (const call of judged.map(generally)) counts.set(call, (counts.get(call) ?? 0) + 1);
	return counts;
}

interface Task {
	fields: Array<{ id: string; value: string }>;
}

/** The people of an accepted request for bulk registration; nobody in others. */
function tasksIn({ operationId, status, body }: LoggedRequest): Task[] {
	if (operationId !== 'registerInBulk' || status !== 202) return [];
	return (body as { data: { attributes: { tasks: Task[] } } }).data.attributes.tasks;
}

/** How many people have which status. */
function statusesOf(run: Execution, name: string): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { status } of run.output(name)) {
		counts[String(status)] = (counts[String(status)] ?? 0) + 1;
	}
	return counts;
}

/** The people who are registered, which no endpoint of this world shows. */
async function registeredAt(platform: TestSandbox): Promise<string[]> {
	await platform.changeWorld({ endpoints: 'all' });
	return registered(platform);
}
