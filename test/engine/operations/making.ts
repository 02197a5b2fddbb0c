import type { TestSandbox } from '../../support/sandbox';

/** Makes records on the platform for the items of a test, as another client would. */

let made = 0;

export function fresh(word: string): string {
	return `${word}-${++made}`;
}

export async function makeEvent(sandbox: TestSandbox, attributes: object = {}): Promise<string> {
	return idOf(
		await post(sandbox, '/events', 'events', {
			title: fresh('Event'),
			status: 'published',
			...attributes,
		}),
	);
}

export async function makeSession(sandbox: TestSandbox, eventId?: string): Promise<string> {
	const event = eventId ?? (await makeEvent(sandbox));
	return idOf(
		await post(sandbox, `/events/${event}/sessions`, 'sessions', {
			estimated_started_at: '2027-03-01 10:00:00',
			timezone: 'Europe/Paris',
		}),
	);
}

function person(email: string) {
	const answers = { email, first_name: 'Ada', last_name: 'Lovelace' };
	return { fields: Object.entries(answers).map(([id, value]) => ({ id, value })) };
}

export async function makeRegistration(
	sandbox: TestSandbox,
	sessionId: string,
	email = `${fresh('person')}@example.com`,
): Promise<string> {
	return idOf(await post(sandbox, `/sessions/${sessionId}/people`, 'people', person(email)));
}

/** A job with one person registered and one refused, ended. */
export async function makeJob(sandbox: TestSandbox, sessionId: string): Promise<string> {
	const email = `${fresh('bulk')}@example.com`;
	const tasks = [person(email), person('not an address')];
	const id = idOf(await post(sandbox, `/sessions/${sessionId}/people/bulk`, 'jobs', { tasks }));
	await sandbox.jobEnd(id);
	return id;
}

export async function makeUser(sandbox: TestSandbox): Promise<string> {
	const email = `${fresh('user')}@example.com`;
	return idOf(await post(sandbox, '/users', 'users', { email, role: 'moderator' }));
}

export async function makeWebhook(sandbox: TestSandbox): Promise<string> {
	const url = `http://127.0.0.1:9/${fresh('hook')}`;
	return idOf(await post(sandbox, '/webhooks', 'webhooks', { url, event: 'job.ended' }));
}

export async function makeTag(sandbox: TestSandbox, eventId: string, title: string): Promise<void> {
	await post(sandbox, `/events/${eventId}/tags`, 'tags', { title });
}

async function post(sandbox: TestSandbox, path: string, type: string, attributes: object) {
	const { status, data } = await sandbox.api.post<unknown>(path, { data: { type, attributes } });
	if (status >= 300) throw new Error(`POST ${path}: ${status} ${JSON.stringify(data)}`);
	return data;
}

function idOf(body: unknown): string {
	const { id, data } = body as { id?: string; data?: { id: string } };
	const found = data?.id ?? id;
	if (found === undefined) throw new Error(`No id in ${JSON.stringify(body)}`);
	return found;
}
