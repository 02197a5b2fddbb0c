import type { IDataObject } from 'n8n-workflow';
import { seededId } from '../../../sandbox/seed/ids';
import type { ToolName } from './tools';

/** What somebody asks for, and what a model makes of it. */
export interface Task {
	ask: string;
	tool: ToolName;
	args: IDataObject;
	/** What is sent, as "METHOD /path?filters" below /v1. */
	calls: string[];
	/** What the answer contains. */
	tells?: RegExp;
	/** What the model is told where it was wrong; it has to be able to go on from there. */
	refuses?: RegExp;
}

const event = seededId('event', 1);
const upcoming = seededId('session', 1);
const held = seededId('session', 5);
const ada = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
const register = `POST /sessions/${upcoming}/people`;

/** Half of them with a mistake that small models make. */
export function tasksOf({ job, known }: { job: string; known: string }): Task[] {
	return [
		{
			ask: 'Which event is the product tour?',
			tool: 'findEvents',
			args: { Title: 'Product Tour' },
			calls: ['GET /events?filter[title]=Product Tour'],
			tells: /"title":"Product Tour: Autumn Release"/,
		},
		{
			ask: 'Tell me about the product tour. (its title in place of its ID)',
			tool: 'getEvent',
			args: { Event: 'Product Tour: Autumn Release' },
			calls: [`GET /events/Product%20Tour%3A%20Autumn%20Release`],
			refuses: /cannot find the event.*Check the ID/s,
		},
		{
			ask: 'Tell me about that event. (no ID)',
			tool: 'getEvent',
			args: { Event: '' },
			calls: [],
			refuses: /'Event' is empty.*give its ID/s,
		},
		{
			ask: 'Tell me about that event. (the argument under another name)',
			tool: 'getEvent',
			args: { event_id: event },
			calls: [],
			refuses: /did not match expected schema/,
		},
		{
			ask: 'Which sessions come next week? (words in place of a date)',
			tool: 'sessionsFrom',
			args: { Planned_From: 'next week' },
			calls: [],
			refuses: /'Planned From': this is not a date.*ISO 8601/s,
		},
		{
			ask: 'Add a date to the product tour. (a time zone that does not exist)',
			tool: 'createSession',
			args: { Event: event, Start: '2027-05-01T18:00:00', Timezone: 'Paris time' },
			calls: [],
			refuses: /time zone "Paris time".*such as Europe\/Paris/s,
		},
		{
			ask: 'Who came to the State of the Industry?',
			tool: 'attendeesOfSession',
			args: { Session: held, Attendance: true, Fields: 'email, attendance_duration' },
			calls: [`GET /sessions/${held}/people?filter[attended]=true`],
			tells: /^\[\{"id":"[^"]+","email":"[^"]+","attendance_duration":\d+\}/,
		},
		{
			ask: 'Change her first name.',
			tool: 'changeName',
			args: { Session: upcoming, Email: known, first_name: 'Augusta' },
			calls: [
				`GET /sessions/${upcoming}/people?filter[email]=${known}`,
				`PATCH /sessions/${upcoming}/people/*`,
			],
			tells: /"status":"updated".*"first_name":"Augusta"/,
		},
		{
			ask: 'Register Ada for the product tour, with her company.',
			tool: 'registerWithSize',
			args: { Session: upcoming, ...ada, company: 'Engines', team_size: '1-10' },
			calls: [register],
			tells: /"status":"registered".*"email":"ada@example.com"/,
		},
		{
			ask: 'Register Ada with the tool for many.',
			tool: 'bulkRegister',
			args: { Session: upcoming, ...ada },
			calls: [`POST /sessions/${upcoming}/people/bulk`, 'GET /jobs/*/tasks'],
			tells: /"email":"ada@example.com","status":"registered","reason":null/,
		},
		{
			ask: 'Who could not be registered, and why?',
			tool: 'jobResults',
			args: { Job_ID: job },
			calls: ['GET /jobs/*/tasks'],
			tells: /"status":"failed".*"reason":"[^"]+valid email[^"]*"/,
		},
	];
}
