import type { INodeParameters } from 'n8n-workflow';
import { text } from '../../../nodes/EventPlatform/core/http/text';

type Kind = 'string' | 'number' | 'boolean';

/** As the editor writes it when a parameter is left to the model. */
function ai(key: string, kind: Kind = 'string', about = ''): string {
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${about}\`, '${kind}') }}`;
}

const byModel = (key: string) => ({ __rl: true, mode: 'id', value: ai(key) });
const event = { eventId: byModel('Event') };
const session = { sessionId: byModel('Session') };
const person = { by: 'email', email: ai('Email') };
const mapped = (...ids: string[]) => ({
	mappingMode: 'defineBelow',
	value: Object.fromEntries(ids.map((id) => [id, ai(id)])),
	schema: [],
});
const few = { limit: 10 };

/** What the agent of the test has: most operations, as people would set them up. */
export const tools = {
	findEvents: tool('event.getAll', { ...few, filters: { title: ai('Title') } }),
	eventsInState: tool('event.getAll', {
		...few,
		filters: { schedulingStatus: ai('Scheduling_Status') },
	}),
	getEvent: tool('event.get', event),
	peopleOfEvent: tool('event.getPeople', { ...event, ...few }),
	sessionsOfEvent: tool('event.getSessions', { ...event, ...few }),
	createEvent: tool('event.create', { title: ai('Title') }),
	renameEvent: tool('event.update', { ...event, updateFields: { title: ai('Title') } }),
	tagEvent: tool('event.addTag', { ...event, tag: ai('Tag') }),
	untagEvent: tool('event.removeTag', { ...event, tag: ai('Tag') }),
	findSessions: tool('session.getAll', {
		limit: ai('Limit', 'number'),
		filters: { status: ai('Status') },
	}),
	sessionsFrom: tool('session.getAll', { ...few, filters: { dateFrom: ai('Planned_From') } }),
	getSession: tool('session.get', session),
	createSession: tool('session.create', {
		...event,
		estimatedStartedAt: ai('Start'),
		timezone: ai('Timezone'),
	}),
	moveSession: tool('session.update', {
		...session,
		updateFields: { estimatedStartedAt: ai('Start') },
	}),
	peopleOfSession: tool('session.getPeople', { ...session, ...few }),
	attendeesOfSession: tool('session.getPeople', {
		...session,
		...few,
		filters: { attended: ai('Attendance', 'boolean') },
		options: { fields: ai('Fields') },
	}),
	questions: tool('session.getQuestions', {
		...session,
		...few,
		options: { include: ['asker', 'responder'] },
	}),
	chat: tool('session.getChatMessages', { ...session, ...few }),
	recordings: tool('session.getRecordings', { ...session, ...few }),
	register: tool('registration.register', {
		...session,
		fields: mapped('email', 'first_name', 'last_name'),
	}),
	registerWithSize: tool('registration.register', {
		...session,
		fields: mapped('email', 'first_name', 'last_name', 'company', 'team_size'),
	}),
	bulkRegister: tool('registration.bulkRegister', {
		...session,
		fields: mapped('email', 'first_name', 'last_name'),
	}),
	isRegistered: tool('registration.get', { ...session, ...person }),
	changeName: tool('registration.update', {
		...session,
		...person,
		fields: mapped('first_name'),
	}),
	unregister: tool('registration.unregister', { ...session, ...person }),
	findPerson: tool('person.getAll', { ...few, filters: { email: ai('Email') } }),
	getPerson: tool('person.get', { personId: byModel('Person') }),
	formFields: tool('personAttribute.getAll', few),
	job: tool('job.get', { jobId: ai('Job_ID') }),
	jobResults: tool('job.getTasks', { jobId: ai('Job_ID'), ...few }),
	waitForJob: tool('job.wait', { jobId: ai('Job_ID') }),
	webhooks: tool('webhook.getAll', few),
	users: tool('user.getAll', few),
	invite: tool('user.create', { email: ai('Email'), role: ai('Role') }),
	me: tool('account.getMe'),
	organization: tool('account.getOrganization'),
	usage: tool('account.getUsage'),
	ping: tool('account.ping'),
};

export type ToolName = keyof typeof tools;

function tool(name: string, parameters: object = {}): INodeParameters {
	const [resource, operation] = name.split('.');
	return { resource: text(resource), operation: text(operation), ...parameters };
}
