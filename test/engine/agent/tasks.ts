import type { IDataObject } from 'n8n-workflow';
import { seededId } from '../../../sandbox/seed/ids';
import { noSuchId } from '../operations/operationCase';
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

/** Fifty, a third of them with a mistake that small models make. */
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
			ask: 'Is there an event about gardening?',
			tool: 'findEvents',
			args: { Title: 'gardening' },
			calls: ['GET /events?filter[title]=gardening'],
			tells: /^\[\]$/,
		},
		{
			ask: 'Which events are coming up?',
			tool: 'eventsInState',
			args: { Scheduling_Status: 'upcoming' },
			calls: ['GET /events?filter[scheduling_status]=upcoming'],
			tells: /"scheduling_status":"upcoming"/,
		},
		{
			ask: 'Which events are planned? (a state that does not exist)',
			tool: 'eventsInState',
			args: { Scheduling_Status: 'planned' },
			calls: ['GET /events?filter[scheduling_status]=planned'],
			refuses: /filter\[scheduling_status\]/,
		},
		{
			ask: 'Tell me about the product tour.',
			tool: 'getEvent',
			args: { Event: event },
			calls: [`GET /events/${event}`],
			tells: /"sessions_count":2/,
		},
		{
			ask: 'Tell me about the product tour. (its title in place of its ID)',
			tool: 'getEvent',
			args: { Event: 'Product Tour: Autumn Release' },
			calls: [`GET /events/Product%20Tour%3A%20Autumn%20Release`],
			refuses: /cannot find the event.*Check the ID/s,
		},
		{
			ask: 'Tell me about that event. (an invented ID)',
			tool: 'getEvent',
			args: { Event: noSuchId },
			calls: [`GET /events/${noSuchId}`],
			refuses: /cannot find the event/,
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
			ask: 'Tell me about that event. (a path in place of an ID)',
			tool: 'getEvent',
			args: { Event: '..' },
			calls: [],
			refuses: /cannot be an ID/,
		},
		{
			ask: 'Who takes part in the product tour?',
			tool: 'peopleOfEvent',
			args: { Event: event },
			calls: [`GET /events/${event}/people`],
			tells: /"email":/,
		},
		{
			ask: 'When does the product tour take place?',
			tool: 'sessionsOfEvent',
			args: { Event: event },
			calls: [`GET /events/${event}/sessions?include=event`],
			tells: /"event_title":"Product Tour: Autumn Release".*"estimated_started_at":"\d{4}-/,
		},
		{
			ask: 'Create the event "Office hours".',
			tool: 'createEvent',
			args: { Title: 'Office hours' },
			calls: ['POST /events'],
			tells: /"title":"Office hours","status":"draft"/,
		},
		{
			ask: 'Create an event. (without a title)',
			tool: 'createEvent',
			args: { Title: ' ' },
			calls: [],
			refuses: /'Title' is empty/,
		},
		{
			ask: 'Call the product tour "Product Tour".',
			tool: 'renameEvent',
			args: { Event: event, Title: 'Product Tour' },
			calls: [`PATCH /events/${event}`],
			tells: /"title":"Product Tour"/,
		},
		{
			ask: 'Tag the product tour with "vip".',
			tool: 'tagEvent',
			args: { Event: event, Tag: 'vip' },
			calls: [`POST /events/${event}/tags`],
			tells: /"title":"vip"/,
		},
		{
			ask: 'Take the tag "customers" off the product tour.',
			tool: 'untagEvent',
			args: { Event: event, Tag: 'customers' },
			calls: [`DELETE /events/${event}/tags`],
			tells: /"deleted":true/,
		},
		{
			ask: 'Take the tag "nowhere" off the product tour. (it has no such tag)',
			tool: 'untagEvent',
			args: { Event: event, Tag: 'nowhere' },
			calls: [`DELETE /events/${event}/tags`],
			refuses: /cannot find the event or the tag/,
		},
		{
			ask: 'Which are the next three sessions?',
			tool: 'findSessions',
			args: { Limit: 3, Status: 'upcoming' },
			calls: ['GET /sessions?filter[status]=upcoming&include=event'],
			tells: /"event_title":.*"status":"upcoming"/,
		},
		{
			ask: 'Which sessions were canceled?',
			tool: 'findSessions',
			args: { Limit: 5, Status: 'canceled' },
			calls: ['GET /sessions?filter[status]=canceled&include=event'],
			tells: /"status":"canceled"/,
		},
		{
			ask: 'Which sessions are next? (a number as a word)',
			tool: 'findSessions',
			args: { Limit: 'three', Status: 'upcoming' },
			calls: [],
			refuses: /did not match expected schema/,
		},
		{
			ask: 'Which sessions are next? (none of them)',
			tool: 'findSessions',
			args: { Limit: 0, Status: 'upcoming' },
			calls: [],
			refuses: /'Limit' is not a whole number above 0/,
		},
		{
			ask: 'Which sessions come after the first of January 2020?',
			tool: 'sessionsFrom',
			args: { Planned_From: '2020-01-01' },
			calls: ['GET /sessions?filter[date_from]=1577854800&include=event'],
			tells: /"type":"sessions"/,
		},
		{
			ask: 'Which sessions come next week? (words in place of a date)',
			tool: 'sessionsFrom',
			args: { Planned_From: 'next week' },
			calls: [],
			refuses: /'Planned From': this is not a date.*ISO 8601/s,
		},
		{
			ask: 'How many people have registered for the European session?',
			tool: 'getSession',
			args: { Session: upcoming },
			calls: [`GET /sessions/${upcoming}?include=event`],
			tells: /"registrants_count":\d+/,
		},
		{
			ask: 'Add a date to the product tour.',
			tool: 'createSession',
			args: { Event: event, Start: '2027-05-01T18:00:00', Timezone: 'Europe/Paris' },
			calls: [`POST /events/${event}/sessions`],
			tells: /"estimated_started_at":"2027-05-01T12:00:00-04:00","timezone":"Europe\/Paris"/,
		},
		{
			ask: 'Add a date to the product tour. (a time zone that does not exist)',
			tool: 'createSession',
			args: { Event: event, Start: '2027-05-01T18:00:00', Timezone: 'Paris time' },
			calls: [],
			refuses: /time zone "Paris time".*such as Europe\/Paris/s,
		},
		{
			ask: 'Move the European session.',
			tool: 'moveSession',
			args: { Session: upcoming, Start: '2027-05-02T18:00:00Z' },
			calls: [`GET /sessions/${upcoming}`, `PATCH /sessions/${upcoming}`],
			tells: /"estimated_started_at":"2027-05-02T14:00:00-04:00"/,
		},
		{
			ask: 'Who has registered for the European session?',
			tool: 'peopleOfSession',
			args: { Session: upcoming },
			calls: [`GET /sessions/${upcoming}/people`],
			tells: /"attended":false/,
		},
		{
			ask: 'Who came to the State of the Industry?',
			tool: 'attendeesOfSession',
			args: { Session: held, Attendance: true, Fields: 'email, attendance_duration' },
			calls: [`GET /sessions/${held}/people?filter[attended]=true`],
			tells: /^\[\{"id":"[^"]+","email":"[^"]+","attendance_duration":\d+\}/,
		},
		{
			ask: 'Who did not come to it? (yes or no as a word)',
			tool: 'attendeesOfSession',
			args: { Session: held, Attendance: 'no', Fields: '' },
			calls: [],
			refuses: /did not match expected schema/,
		},
		{
			ask: 'What was asked, and by whom?',
			tool: 'questions',
			args: { Session: held },
			calls: [`GET /sessions/${held}/questions?include=asker,responder`],
			tells: /"asker_name":"Noah Stone"/,
		},
		{
			ask: 'What was written in the chat?',
			tool: 'chat',
			args: { Session: held },
			calls: [`GET /sessions/${held}/chat_messages`],
			tells: /Good morning, everyone!/,
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
			ask: 'Is there a recording?',
			tool: 'recordings',
			args: { Session: held },
			calls: [`GET /sessions/${held}/recordings`],
			tells: /"mime_type":"video\/mp4"/,
		},
		{
			ask: 'Register Ada for the product tour.',
			tool: 'register',
			args: { Session: upcoming, ...ada },
			calls: [register],
			tells: /"status":"registered".*"email":"ada@example.com"/,
		},
		{
			ask: 'Register Ada for the product tour, with her company.',
			tool: 'registerWithSize',
			args: { Session: upcoming, ...ada, company: 'Engines', team_size: '1-10' },
			calls: [register],
			tells: /"status":"registered".*"email":"ada@example.com"/,
		},
		{
			ask: 'Register Ada. (a choice that the form does not have)',
			tool: 'registerWithSize',
			args: { Session: upcoming, ...ada, company: 'Engines', team_size: '5 people' },
			calls: [register],
			refuses: /team_size/,
		},
		{
			ask: 'Register somebody who is registered.',
			tool: 'registerWithSize',
			args: { Session: upcoming, ...ada, email: known, company: 'E', team_size: '1-10' },
			calls: [register, `GET /sessions/${upcoming}/people?filter[email]=${known}`],
			tells: /"status":"already_registered"/,
		},
		{
			ask: 'Register Ada with the tool for many.',
			tool: 'bulkRegister',
			args: { Session: upcoming, ...ada },
			calls: [`POST /sessions/${upcoming}/people/bulk`, 'GET /jobs/*/tasks'],
			tells: /"email":"ada@example.com","status":"registered","reason":null/,
		},
		{
			ask: 'Has this person registered for the product tour?',
			tool: 'isRegistered',
			args: { Session: upcoming, Email: known },
			calls: [`GET /sessions/${upcoming}/people?filter[email]=${known}`],
			tells: /"attended":false/,
		},
		{
			ask: 'Has somebody registered who has not?',
			tool: 'isRegistered',
			args: { Session: upcoming, Email: 'nobody@example.com' },
			calls: [`GET /sessions/${upcoming}/people?filter[email]=nobody@example.com`],
			refuses: /Nobody with the email nobody@example.com.*use 'Register'/s,
		},
		{
			ask: 'Unregister this person.',
			tool: 'unregister',
			args: { Session: upcoming, Email: known },
			calls: [`DELETE /sessions/${upcoming}/people?filter[email]=${known}`],
			tells: /"deleted":true/,
		},
		{
			ask: 'Whom do we know under this address?',
			tool: 'findPerson',
			args: { Email: known },
			calls: [`GET /people?filter[email]=${known}`],
			tells: /"type":"people"/,
		},
		{
			ask: 'Who is this person? (an address in place of the ID)',
			tool: 'getPerson',
			args: { Person: known },
			calls: [`GET /people/${encodeURIComponent(known)}`],
			refuses: /cannot find the person/,
		},
		{
			ask: 'What can forms ask for?',
			tool: 'formFields',
			args: {},
			calls: ['GET /people_attributes'],
			tells: /"slug":"email"/,
		},
		{
			ask: 'How far is the bulk registration?',
			tool: 'job',
			args: { Job_ID: job },
			calls: [`GET /jobs/${job}`],
			tells: /"status":"failed","total_items":2/,
		},
		{
			ask: 'Who could not be registered, and why?',
			tool: 'jobResults',
			args: { Job_ID: job },
			calls: ['GET /jobs/*/tasks'],
			tells: /"status":"failed".*"reason":"[^"]+valid email[^"]*"/,
		},
		{
			ask: 'Invite Grace as an owner. (a role that cannot be given)',
			tool: 'invite',
			args: { Email: 'grace@example.com', Role: 'owner' },
			calls: ['POST /users'],
			refuses: /role/,
		},
		{
			ask: 'How many requests are left?',
			tool: 'usage',
			args: {},
			calls: ['GET /ping'],
			tells: /"remaining":/,
		},
	];
}
