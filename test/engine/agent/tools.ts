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
	getEvent: tool('event.get', event),
	sessionsFrom: tool('session.getAll', { ...few, filters: { dateFrom: ai('Planned_From') } }),
	createSession: tool('session.create', {
		...event,
		estimatedStartedAt: ai('Start'),
		timezone: ai('Timezone'),
	}),
	attendeesOfSession: tool('session.getPeople', {
		...session,
		...few,
		filters: { attended: ai('Attendance', 'boolean') },
		options: { fields: ai('Fields') },
	}),
	registerWithSize: tool('registration.register', {
		...session,
		fields: mapped('email', 'first_name', 'last_name', 'company', 'team_size'),
	}),
	bulkRegister: tool('registration.bulkRegister', {
		...session,
		fields: mapped('email', 'first_name', 'last_name'),
	}),
	changeName: tool('registration.update', {
		...session,
		...person,
		fields: mapped('first_name'),
	}),
	jobResults: tool('job.getTasks', { jobId: ai('Job_ID'), ...few }),
};

export type ToolName = keyof typeof tools;

function tool(name: string, parameters: object = {}): INodeParameters {
	const [resource, operation] = name.split('.');
	return { resource: text(resource), operation: text(operation), ...parameters };
}
