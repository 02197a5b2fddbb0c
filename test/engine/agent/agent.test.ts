import '../../support/fasterClock';
import { getEncoding } from 'js-tiktoken';
import { seededId } from '../../../sandbox/seed/ids';
import {
	sandboxForTests,
	upcomingSession as upcoming,
	type TestSandbox,
} from '../../support/sandbox';
import { makeJob, makeRegistration } from '../operations/making';
import { call } from './agent';

/** What somebody asks for, the tool that is there for it, and what a model makes of it. */
interface Task {
	ask: string;
	/** As people would set it up: resource, operation and parameters. */
	tool: [operation: string, parameters: object];
	args: Record<string, string | boolean>;
	/** What is sent, as "METHOD /path?filters" below /v1. */
	calls: string[];
	/** What the answer contains. */
	tells?: RegExp;
	/** What the model is told where it was wrong; it has to be able to go on from there. */
	refuses?: RegExp;
}

/** As the editor writes it when a parameter is left to the model. */
const ai = (key: string, kind = 'string') =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`\`, '${kind}') }}`;
const byModel = (key: string) => ({ __rl: true, mode: 'id', value: ai(key) });
const event = { eventId: byModel('Event') };
const session = { sessionId: byModel('Session') };
const mapped = (...ids: string[]) => ({
	...{ mappingMode: 'defineBelow', schema: [] },
	value: Object.fromEntries(ids.map((id) => [id, ai(id)])),
});
const named = ['email', 'first_name', 'last_name'];

const firstEvent = seededId('event', 1);
const held = seededId('session', 5);
const known = 'known@example.com';
const ada = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
const peopleOf = (id: string) => `/sessions/${id}/people`;

/** Half of them with a mistake that small models make. The job is made for each task. */
const tasks: Task[] = [
	{
		ask: 'Which event is the product tour?',
		tool: ['event.getAll', { limit: 10, filters: { title: ai('Title') } }],
		args: { Title: 'Product Tour' },
		calls: ['GET /events?filter[title]=Product Tour'],
		tells: /"title":"Product Tour: Autumn Release"/,
	},
	{
		ask: 'Tell me about the product tour. (its title in place of its ID)',
		tool: ['event.get', event],
		args: { Event: 'Product Tour: Autumn Release' },
		calls: [`GET /events/Product%20Tour%3A%20Autumn%20Release`],
		refuses: /cannot find the event.*Check the ID/s,
	},
	{
		ask: 'Tell me about that event. (no ID)',
		tool: ['event.get', event],
		args: { Event: '' },
		calls: [],
		refuses: /'Event' is empty.*give its ID/s,
	},
	{
		ask: 'Tell me about that event. (the argument under another name)',
		tool: ['event.get', event],
		args: { event_id: firstEvent },
		calls: [],
		refuses: /did not match expected schema/,
	},
	{
		ask: 'Which sessions come next week? (words in place of a date)',
		tool: ['session.getAll', { limit: 10, filters: { dateFrom: ai('Planned_From') } }],
		args: { Planned_From: 'next week' },
		calls: [],
		refuses: /'Planned From': this is not a date.*ISO 8601/s,
	},
	{
		ask: 'Add a date to the product tour. (a time zone that does not exist)',
		tool: [
			'session.create',
			{ ...event, estimatedStartedAt: ai('Start'), timezone: ai('Timezone') },
		],
		args: { Event: firstEvent, Start: '2027-05-01T18:00:00', Timezone: 'Paris time' },
		calls: [],
		refuses: /time zone "Paris time".*such as Europe\/Paris/s,
	},
	{
		ask: 'Who came to the State of the Industry?',
		tool: [
			'session.getPeople',
			{
				...{ ...session, limit: 10, options: { fields: ai('Fields') } },
				filters: { attended: ai('Attendance', 'boolean') },
			},
		],
		args: { Session: held, Attendance: true, Fields: 'email, attendance_duration' },
		calls: [`GET ${peopleOf(held)}?filter[attended]=true`],
		tells: /^\[\{"id":"[^"]+","email":"[^"]+","attendance_duration":\d+\}/,
	},
	{
		ask: 'Change her first name.',
		tool: [
			'registration.update',
			{ ...session, by: 'email', email: ai('Email'), fields: mapped('first_name') },
		],
		args: { Session: upcoming, Email: known, first_name: 'Augusta' },
		calls: [`GET ${peopleOf(upcoming)}?filter[email]=${known}`, `PATCH ${peopleOf(upcoming)}/*`],
		tells: /"status":"updated".*"first_name":"Augusta"/,
	},
	{
		ask: 'Register Ada for the product tour, with her company.',
		tool: [
			'registration.register',
			{ ...session, fields: mapped(...named, 'company', 'team_size') },
		],
		args: { Session: upcoming, ...ada, company: 'Engines', team_size: '1-10' },
		calls: [`POST ${peopleOf(upcoming)}`],
		tells: /"status":"registered".*"email":"ada@example.com"/,
	},
	{
		ask: 'Register Ada with the tool for many.',
		tool: ['registration.bulkRegister', { ...session, fields: mapped(...named) }],
		args: { Session: upcoming, ...ada },
		calls: [`POST ${peopleOf(upcoming)}/bulk`, 'GET /jobs/*/tasks'],
		tells: /"email":"ada@example.com","status":"registered","reason":null/,
	},
	{
		ask: 'Who could not be registered, and why?',
		tool: ['job.getTasks', { jobId: ai('Job_ID'), limit: 10 }],
		args: { Job_ID: 'the job' },
		calls: ['GET /jobs/*/tasks'],
		tells: /"status":"failed".*"reason":"[^"]+valid email[^"]*"/,
	},
];

const tokens: number[] = [];
const encoding = getEncoding('cl100k_base');
let sandbox: TestSandbox;

beforeAll(async () => {
	sandbox = await sandboxForTests({ seedPeople: 40 });
});
beforeEach(() => sandbox.reset());

test.each(tasks)('$ask', async ({ tool, args, calls, tells, refuses }) => {
	await makeRegistration(sandbox, upcoming, known);
	const job = await makeJob(sandbox, upcoming);
	const before = (await sandbox.requests()).length;

	const [name, parameters] = tool;
	const [resource = '', operation = ''] = name.split('.');
	const given = { ...args, ...('Job_ID' in args && { Job_ID: job }) };
	const { answer, refusal } = await call(sandbox, { resource, operation, ...parameters }, given);

	expect([answer, refusal]).toEqual([
		tells && expect.stringMatching(tells),
		refuses && expect.stringMatching(refuses),
	]);
	expect((await sandbox.requests()).slice(before).map(told)).toEqual(calls);
	expect(`${answer}${refusal}`).not.toMatch(/connection_link|password_key|sandbox-token/);
	if (answer !== undefined) tokens.push(encoding.encode(answer).length);
	// An error is for a model to read: short.
	else expect(encoding.encode(refusal ?? '').length).toBeLessThan(200);
});

test('the answers stay small', () => {
	const inOrder = [...tokens].sort((a, b) => a - b);
	expect(inOrder[inOrder.length >> 1]).toBeLessThan(1_000);
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
