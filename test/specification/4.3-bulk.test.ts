import '../support/time/fasterClock';
import { unknownId } from '../support/platform/seededIds';
import { tokenCredential } from '../support/n8n/engineConsent';
import { byId } from '../support/n8n/locators';
import { mapped } from '../support/n8n/operation';
import { makeSession } from '../support/platform/platformRecords';
import { registered } from '../support/platform/registrants';
import { seededId } from '../../sandbox/seed/ids';
import { bulkOf, guestAddresses, type TestSandbox } from '../support/platform/sandbox';
import {
	answering,
	exactPlatform,
	registeredAt,
	registerInBulk,
	tasksSent,
	wholePlatform,
} from './scene';

let sandbox: TestSandbox;
/** It can be asked for more sessions. */
let whole: TestSandbox;
beforeAll(async () => {
	[sandbox, whole] = await Promise.all([exactPlatform(), wholePlatform()]);
});

const jsonApi = 'application/vnd.api+json';
const people = (count: number, name: string) =>
	guestAddresses(count, name).map((email) => ({ email }));

/** Registers somebody on a platform that answers every bulk request so. */
async function registerWhere(status: number, body: unknown) {
	const { credential, seen } = await answering(() => ({ status, body }));
	const outcome = await registerInBulk(sandbox, people(1, 'someone'), {}, { credential });
	return { ...outcome, seen };
}

describe('4.3 POST /sessions/:id/people/bulk', () => {
	test('It takes `application/vnd.api+json`', async () => {
		const { seen } = await registerWhere(403, '');
		expect(seen[0]?.headers).toMatchObject({ 'content-type': jsonApi });
	});

	test('It answers in `application/vnd.api+json`', async () => {
		const { seen } = await registerWhere(403, '');
		expect(seen[0]?.headers).toMatchObject({ accept: jsonApi });
	});

	test('It registers the people of its tasks for the session of its path', async () => {
		const session = seededId('session', 3);
		const sessionId = byId(session);
		const { records, sent } = await registerInBulk(sandbox, people(2, 'there'), { sessionId });
		expect(records).toMatchObject([{ status: 'registered' }, { status: 'registered' }]);
		expect(sent[0]).toBe(`POST /sessions/${session}/people/bulk`);
		expect(await registeredAt(sandbox, session)).toEqual(guestAddresses(2, 'there'));
	});

	test('Each request is about one session: people of several sessions go with several', async () => {
		const sessions = await Promise.all([makeSession(whole), makeSession(whole)]);
		const guests = people(4, 'mixed').map((guest, place) => ({
			...guest,
			session: sessions[place % 2],
		}));
		const parameters = {
			sessionId: byId('={{ $json.session }}'),
			fields: mapped({ email: '={{ $json.email }}' }),
		};
		const { records, sent } = await registerInBulk(whole, guests, parameters);
		expect(records.map(({ email, status }) => [email, status])).toEqual(
			guests.map(({ email }) => [email, 'registered']),
		);
		expect(sent.filter((request) => request.startsWith('POST')).sort()).toEqual(
			sessions.map((id) => `POST /sessions/${id}/people/bulk`).sort(),
		);
		for (const [place, id] of sessions.entries()) {
			const ofSession = guests.filter((_, at) => at % 2 === place).map(({ email }) => email);
			expect(await registered(whole, id)).toEqual(ofSession);
		}
	});

	test.each(['', '  ', '={{ $json.nope }}'])(
		'The id of the session is required (%j)',
		async (id) => {
			const { error, requests } = await registerInBulk(sandbox, people(1, 'x'), {
				sessionId: byId(id),
			}).catch((thrown: Error) => ({ error: thrown, requests: [] }));
			expect(error?.message).toMatch(/Session|invalid/);
			expect(requests).toEqual([]);
		},
	);

	test('The body is wrapped in `data`', async () => {
		const { requests } = await registerInBulk(sandbox, people(1, 'wrapped'));
		const [sent] = requests;
		expect(Object.keys(sent?.body as object)).toEqual(['data']);
	});

	test('`data.type` is `jobs`', async () => {
		const { requests } = await registerInBulk(sandbox, people(1, 'typed'));
		expect(requests[0]?.body).toMatchObject({ data: { type: 'jobs' } });
	});

	test('The tasks stand in `data.attributes.tasks`, a list', async () => {
		const { requests } = await registerInBulk(sandbox, people(3, 'tasks'));
		expect(tasksSent(requests)).toEqual(bulkOf(guestAddresses(3, 'tasks')).data.attributes.tasks);
	});

	test('A request has at most 50 tasks', async () => {
		const { records, requests } = await registerInBulk(sandbox, people(120, 'crowd'));
		const sizes = requests
			.filter(({ operationId }) => operationId === 'registerInBulk')
			.map((request) => tasksSent([request]).length);
		expect(sizes.sort()).toEqual([20, 50, 50]);
		expect(records.map(({ status }) => status)).toEqual(Array(120).fill('registered'));
	});

	test('A bad request is a 400', async () => {
		const { error, seen } = await registerWhere(400, { errors: [{ detail: 'Not like that' }] });
		expect(error?.message).toContain('Nobody was registered');
		expect(error?.description).toContain('Not like that');
		expect(seen).toHaveLength(1);
	});

	test('A failed authentication is a 401', async () => {
		const credential = tokenCredential({ ...sandbox, apiToken: 'a guess' });
		const some = people(1, 'nobody');
		const { error, requests } = await registerInBulk(sandbox, some, {}, { credential });
		expect(`${error?.message} ${error?.description}`).toMatch(/credential/);
		expect(requests).toHaveLength(1);
	});

	test('A blocked workspace is a 403', async () => {
		await sandbox.web.post('/_sandbox/workspace', { blocked: true });
		const { error, requests } = await registerInBulk(sandbox, people(1, 'blocked'));
		await sandbox.web.post('/_sandbox/workspace', { blocked: false });
		expect(error?.description).toMatch(/The workspace is blocked.*unblock access to the API/s);
		expect(requests).toHaveLength(1);
	});

	test('An unknown session is a 404', async () => {
		const sessionId = byId(unknownId);
		const { error } = await registerInBulk(sandbox, people(1, 'lost'), { sessionId });
		expect(`${error?.message} ${error?.description}`).toMatch(/cannot find the session/);
	});
});
