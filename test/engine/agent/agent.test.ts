import '../../support/time/fasterClock';
import { getEncoding } from 'js-tiktoken';
import { SupplyDataContext } from 'n8n-core';
import { createNodeAsTool } from 'n8n-core/dist/execution-engine/node-execution-context/utils/create-node-as-tool';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import {
	createRunExecutionData,
	NodeConnectionTypes,
	type IDataObject,
	type INodeParameters,
} from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { Engine } from '../../support/n8n/engine';
import { sandboxOfFile, type TestSandbox } from '../../support/platform/sandbox';
import { heldSession, upcomingSession as upcoming } from '../../support/platform/seededIds';
import { upTo } from '../../../nodes/EventPlatform/core/values/collections';
import { makeSession, registerPeople } from '../../support/platform/platformRecords';
import { describeRequest } from '../../support/n8n/operation';
import { firstPage } from '../operations/operationCase';
import { byId } from '../../support/n8n/locators';
import { tokenCredential } from '../../support/n8n/engineConsent';

/** A person's request, the tool that is there for it, and the call that a model makes of it. */
interface Task {
	ask: string;
	/** The tool as people would set it up, with resource, operation and parameters. */
	tool: [operation: string, parameters: object];
	args: Record<string, string | boolean>;
	/** The requests that are sent, as "METHOD /path?query" below /v1. */
	calls: unknown[];
	/** The text that the answer contains. */
	tells?: RegExp;
	/** The message to the model where it was wrong. The model has to be able to go on from there. */
	refuses?: RegExp;
}

/** Writes an expression as the editor does when a parameter is left to the model. */
const ai = (key: string, kind = 'string') =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`\`, '${kind}') }}`;
const byModel = (key: string) => byId(ai(key));
const sessionId = byModel('Session');
const mapped = (...ids: string[]) => ({
	mappingMode: 'defineBelow',
	schema: [],
	value: Object.fromEntries(ids.map((id) => [id, ai(id)])),
});

const ada = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
const named = Object.keys(ada);

/** Some of them with a mistake that small models make. */
const tasks: Task[] = [
	{
		ask: 'Which event is the product tour?',
		tool: ['event.getAll', { limit: 10, filters: { title: ai('Title') } }],
		args: { Title: 'Product Tour' },
		calls: [`GET /events?filter[title]=Product Tour&${firstPage(10)}`],
		tells: /"title":"Product Tour: Autumn Release"/,
	},
	{
		ask: 'Tell me about the product tour. (its title in place of its ID)',
		tool: ['event.get', { eventId: byModel('Event') }],
		args: { Event: 'Product Tour: Autumn Release' },
		calls: [`GET /events/Product%20Tour%3A%20Autumn%20Release`],
		refuses: /cannot find the event.*Check the ID/s,
	},
	{
		ask: 'Who came to the State of the Industry?',
		tool: [
			'session.getPeople',
			{
				sessionId,
				limit: 10,
				options: { fields: ai('Fields') },
				filters: { attended: ai('Attendance', 'boolean') },
			},
		],
		args: { Session: heldSession, Attendance: true, Fields: 'email, attendance_duration' },
		calls: [`GET /sessions/${heldSession}/people?filter[attended]=true&${firstPage(10)}`],
		tells: /^\[\{"id":"[^"]+","email":"[^"]+","attendance_duration":\d+\}/,
	},
	{
		ask: 'Who came to the State of the Industry? (the names of fields as a list in JSON)',
		tool: ['session.getPeople', { sessionId, limit: 10, options: { fields: ai('Fields') } }],
		args: { Session: heldSession, Fields: '["email", "attendance_duration"]' },
		calls: [`GET /sessions/${heldSession}/people?${firstPage(10)}`],
		tells: /^\[\{"id":"[^"]+","email":"[^"]+","attendance_duration":\d+\}/,
	},
	{
		ask: 'Who came to the State of the Industry? (the names of fields in another spelling)',
		tool: ['session.getPeople', { sessionId, limit: 10, options: { fields: ai('Fields') } }],
		args: { Session: heldSession, Fields: 'Email, attendanceDuration' },
		calls: [`GET /sessions/${heldSession}/people?${firstPage(10)}`],
		tells: /^\[\{"id":"[^"]+","email":"[^"]+","attendance_duration":\d+\}/,
	},
	{
		ask: 'Which events are for customers or about the product? (the tags as a list in JSON)',
		tool: ['event.getAll', { limit: 10, filters: { tag: ai('Tags') } }],
		args: { Tags: '["customers", "product"]' },
		calls: [`GET /events?filter[tag]=customers,product&${firstPage(10)}`],
		tells: /^\[\{"id":"/,
	},
	{
		ask: 'How did the State of the Industry go?',
		tool: ['session.getReport', { sessionId }],
		args: { Session: heldSession },
		calls: [
			`GET /sessions/${heldSession}?include=event`,
			`GET /sessions/${heldSession}/people?${firstPage()}`,
			`GET /sessions/${heldSession}/questions?${firstPage()}`,
		],
		tells: /"registrants":\d+,"attendees":\d+,"attendance_rate":\d/,
	},
	{
		ask: 'Register Ada for the product tour, with her company.',
		tool: ['registration.register', { sessionId, fields: mapped(...named, 'company') }],
		args: { Session: upcoming, ...ada, company: 'Engines' },
		calls: [`POST /sessions/${upcoming}/people`],
		tells: /"status":"registered".*"email":"ada@example.com"/,
	},
	{
		ask: 'Register Ada with the tool for many.',
		tool: ['registration.bulkRegister', { sessionId, fields: mapped(...named) }],
		args: { Session: upcoming, ...ada },
		calls: [
			`POST /sessions/${upcoming}/people/bulk`,
			expect.stringMatching(/^GET \/jobs\/[^/]+\/tasks\?/),
		],
		tells: /"email":"ada@example.com","status":"registered","reason":null/,
	},
];

const encoding = getEncoding('cl100k_base');
const sandbox = sandboxOfFile({ seedPeople: 40 });
beforeEach(() => sandbox.reset());

test.each(tasks)('$ask', async ({ tool, args, calls, tells, refuses }) => {
	const [name, parameters] = tool;
	const [resource = '', operation = ''] = name.split('.');
	const { answer, refusal } = await call(sandbox, { resource, operation, ...parameters }, args);

	expect([answer, refusal]).toEqual([
		tells && expect.stringMatching(tells),
		refuses && expect.stringMatching(refuses),
	]);
	expect((await sandbox.requests()).map(describeRequest)).toEqual(calls);
	expect(`${answer}${refusal}`).not.toMatch(/connection_link|password_key|sandbox-token/);
	// An error is for a model to read: short.
	const most = answer === undefined ? 200 : 1_000;
	expect(encoding.encode(answer ?? refusal ?? '').length).toBeLessThan(most);
});

test('a long list gives a model twenty records, and says how many there are', async () => {
	const all = { resource: 'person', operation: 'getAll', returnAll: true };
	const { answer = '' } = await call(sandbox, all, {});
	const records = JSON.parse(answer) as IDataObject[];
	expect(records).toHaveLength(21);
	expect(records.at(-1)).toEqual({
		shown: 20,
		total: expect.any(Number) as number,
		note: expect.stringMatching(/^These are 20 of \d+ records\. .*narrow the list/) as string,
	});
	expect((await sandbox.requests()).map(describeRequest)).toEqual([`GET /people?${firstPage(20)}`]);
});

test('the usual limit of a list gives a model no more than twenty records, either', async () => {
	const usual = { resource: 'person', operation: 'getAll' };
	const { answer = '' } = await call(sandbox, usual, {});
	expect(JSON.parse(answer)).toHaveLength(21);
});

test('a list that a model has whole says nothing more, and keeps a smaller limit', async () => {
	const few = { resource: 'session', operation: 'getRecordings', sessionId: heldSession };
	expect((await call(sandbox, few, {})).answer).not.toContain('total');
	const limited = { resource: 'session', operation: 'getPeople', sessionId: heldSession, limit: 3 };
	const { answer = '' } = await call(sandbox, limited, {});
	expect(JSON.parse(answer)).toHaveLength(4);
});

test('a report gives a model no more than twenty people, and says how many there are', async () => {
	const session = await makeSession(sandbox);
	await registerPeople(
		sandbox,
		upTo(25).map((nth) => ({ email: `guest${nth}@example.com`, company: `Company ${nth}` })),
		session,
	);
	const report = { resource: 'session', operation: 'getReport', sessionId: session };
	const byCompany = { output: 'groups', groupBy: 'question', questionId: 'company' };
	for (const parameters of [{ output: 'people' }, byCompany]) {
		const { answer = '' } = await call(sandbox, { ...report, ...parameters }, {});
		const records = JSON.parse(answer) as IDataObject[];
		expect(records).toHaveLength(21);
		expect(records.at(-1)).toMatchObject({ shown: 20, total: 25 });
	}
});

test('the join links of people reach a model only where the option is on', async () => {
	const people = { resource: 'session', operation: 'getPeople', sessionId: heldSession, limit: 2 };
	expect((await call(sandbox, people, {})).answer).not.toMatch(/join_link|key=/);
	const withLinks = { ...people, options: { includeJoinLink: true } };
	expect((await call(sandbox, withLinks, {})).answer).toMatch(/"join_link":"https:/);
});

/**
 * Calls the node as a tool, made and called by n8n's own code: what the model is told when it is right, and what when it
 * is wrong.
 */
async function call(
	sandbox: TestSandbox,
	parameters: INodeParameters,
	args: IDataObject,
): Promise<{ answer?: string; refusal?: string }> {
	const nodeType = new EventPlatform();
	const engine = new Engine({
		node: nodeType,
		credential: tokenCredential(sandbox),
		parameters,
	});
	const { workflow, node } = engine;
	const { additionalData } = engine.editorContext();
	const data = createRunExecutionData({});
	const context = (runIndex: number) =>
		new SupplyDataContext(
			workflow,
			node,
			additionalData,
			'manual',
			data,
			runIndex,
			[],
			{},
			NodeConnectionTypes.AiTool,
			{ node, data: {}, source: null },
			[],
		);
	const handleToolInvocation = makeHandleToolInvocation(context, node, nodeType, data);
	const { response } = createNodeAsTool({ node, nodeType, handleToolInvocation });
	try {
		return { answer: String(await response.invoke(args)) };
	} catch (error) {
		return { refusal: (error as Error).message };
	}
}
