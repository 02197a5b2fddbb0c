import type { IDataObject } from 'n8n-workflow';
import type { TestSandbox } from './sandbox';
import { upcomingSession } from './seededIds';

/** Makes records on the platform for the items of a test, as another client would. */

let made = 0;

export function fresh(word: string): string {
	return `${word}-${++made}`;
}

export function makeEvent(sandbox: TestSandbox, attributes: object = {}): Promise<string> {
	return make(sandbox, '/events', 'events', {
		title: fresh('Event'),
		status: 'published',
		...attributes,
	});
}

export async function makeSession(
	sandbox: TestSandbox,
	eventId?: string,
	attributes: object = {},
): Promise<string> {
	const event = eventId ?? (await makeEvent(sandbox));
	const planned = { estimated_started_at: '2027-03-01 10:00:00', timezone: 'Europe/Paris' };
	return make(sandbox, `/events/${event}/sessions`, 'sessions', { ...planned, ...attributes });
}

function person(email: string) {
	const answers = { email, first_name: 'Ada', last_name: 'Lovelace' };
	return { fields: Object.entries(answers).map(([id, value]) => ({ id, value })) };
}

export function makeRegistration(
	sandbox: TestSandbox,
	sessionId: string,
	email = `${fresh('person')}@example.com`,
): Promise<string> {
	return make(sandbox, `/sessions/${sessionId}/people`, 'people', person(email));
}

/** Registers people with their answers in one job, which has ended then. */
export async function registerPeople(
	sandbox: TestSandbox,
	people: readonly IDataObject[],
	sessionId = upcomingSession,
): Promise<void> {
	const tasks = people.map((answers) => ({
		fields: Object.entries(answers).map(([id, value]) => ({ id, value })),
	}));
	const path = `/sessions/${sessionId}/people/bulk`;
	await sandbox.jobEnd(await make(sandbox, path, 'jobs', { tasks }));
}

/** A job with one person registered and one refused, ended. */
export async function makeJob(sandbox: TestSandbox, sessionId: string): Promise<string> {
	const tasks = [person(`${fresh('bulk')}@example.com`), person('not an address')];
	const id = await make(sandbox, `/sessions/${sessionId}/people/bulk`, 'jobs', { tasks });
	await sandbox.jobEnd(id);
	return id;
}

export function makeUser(sandbox: TestSandbox): Promise<string> {
	const email = `${fresh('user')}@example.com`;
	return make(sandbox, '/users', 'users', { email, role: 'moderator' });
}

export function makeWebhook(sandbox: TestSandbox): Promise<string> {
	return sandbox.subscribe(`http://127.0.0.1:9/${fresh('hook')}`, 'job.ended');
}

export async function makeTag(sandbox: TestSandbox, eventId: string, title: string): Promise<void> {
	await make(sandbox, `/events/${eventId}/tags`, 'tags', { title });
}

/** Resolves with the id. */
async function make(sandbox: TestSandbox, path: string, type: string, attributes: object) {
	interface Answer {
		id?: string;
		data?: { id: string };
	}
	const { status, data } = await sandbox.api.post<Answer>(path, { data: { type, attributes } });
	const id = data.data?.id ?? data.id;
	if (status < 300 && id !== undefined) return id;
	throw new Error(`POST ${path}: ${status} ${JSON.stringify(data)}`);
}
