import '../support/time/fasterClock';
import { unknownId } from '../support/platform/seededIds';
import { tokenCredential } from '../support/n8n/engineConsent';
import { byId } from '../support/n8n/locators';
import { mapped } from '../support/n8n/operation';
import { makeSession } from '../support/platform/platformRecords';
import { registered } from '../support/platform/registrants';
import { detailOf } from '../support/platform/requests';
import { seededId } from '../../sandbox/seed/ids';
import { bulkOf, bulkOfTasks, guestAddresses, type TestSandbox } from '../support/platform/sandbox';
import {
	answering,
	exactPlatform,
	postBulk,
	registeredAt,
	registerInBulk,
	tasksSent,
	wholePlatform,
} from './scene';
import { forEach, statement } from './statement';

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
	statement('It takes `application/vnd.api+json`', {
		async platform() {
			expect((await postBulk(sandbox, bulkOf(guestAddresses(1, 'media')))).status).toBe(202);
			const headers = { 'Content-Type': 'application/json' };
			const asPlainJson = await postBulk(sandbox, bulkOf(guestAddresses(1, 'media')), { headers });
			expect(asPlainJson.status).toBe(400);
		},
		async client() {
			const { seen } = await registerWhere(403, '');
			expect(seen[0]?.headers).toMatchObject({ 'content-type': jsonApi });
		},
	});

	statement('It answers in `application/vnd.api+json`', {
		async platform() {
			const answer = await postBulk(sandbox, bulkOf(guestAddresses(1, 'type')));
			expect(answer.headers['content-type']).toContain(jsonApi);
		},
		async client() {
			const { seen } = await registerWhere(403, '');
			expect(seen[0]?.headers).toMatchObject({ accept: jsonApi });
		},
	});

	statement('It registers the people of its tasks for the session of its path', {
		async platform() {
			const session = seededId('session', 2);
			await sandbox.jobEnd(await sandbox.startJob(guestAddresses(2, 'path'), session));
			expect(await registeredAt(sandbox, session)).toEqual(guestAddresses(2, 'path'));
		},
		async client() {
			const session = seededId('session', 3);
			const sessionId = byId(session);
			const { records, sent } = await registerInBulk(sandbox, people(2, 'there'), { sessionId });
			expect(records).toMatchObject([{ status: 'registered' }, { status: 'registered' }]);
			expect(sent[0]).toBe(`POST /sessions/${session}/people/bulk`);
			expect(await registeredAt(sandbox, session)).toEqual(guestAddresses(2, 'there'));
		},
	});

	statement('Each request is about one session: people of several sessions go with several', {
		async client() {
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
		},
	});

	statement('The id of the session is required', {
		async platform() {
			const { status } = await postBulk(sandbox, bulkOf(guestAddresses(1, 'none')), {
				session: '',
			});
			expect([400, 404]).toContain(status);
		},
		client: forEach(['', '  ', '={{ $json.nope }}'], async (id) => {
			const { error, requests } = await registerInBulk(sandbox, people(1, 'x'), {
				sessionId: byId(id),
			}).catch((thrown: Error) => ({ error: thrown, requests: [] }));
			expect(error?.message).toMatch(/Session|invalid/);
			expect(requests).toEqual([]);
		}),
	});

	statement('The body is wrapped in `data`', {
		platform: forEach([{}, [], { jobs: {} }], async (body) => {
			const answer = await postBulk<unknown>(sandbox, body);
			expect(answer.status).toBe(400);
			expect(detailOf(answer)).toMatch(/data|object/);
		}),
		async client() {
			const { requests } = await registerInBulk(sandbox, people(1, 'wrapped'));
			const [sent] = requests;
			expect(Object.keys(sent?.body as object)).toEqual(['data']);
		},
	});

	statement('`data.type` is `jobs`', {
		platform: forEach(['people', 'job', undefined], async (type) => {
			const attributes = { tasks: bulkOf(['a@example.org']).data.attributes.tasks };
			const answer = await postBulk<unknown>(sandbox, { data: { type, attributes } });
			expect(answer.status).toBe(400);
			expect(detailOf(answer)).toMatch(/type/);
		}),
		async client() {
			const { requests } = await registerInBulk(sandbox, people(1, 'typed'));
			expect(requests[0]?.body).toMatchObject({ data: { type: 'jobs' } });
		},
	});

	statement('The tasks stand in `data.attributes.tasks`, a list', {
		platform: forEach([{ tasks: { fields: [] } }, { tasks: [] }, {}], async (attributes) => {
			const answer = await postBulk<unknown>(sandbox, {
				data: { type: 'jobs', attributes },
			});
			expect(answer.status).toBe(400);
			expect(detailOf(answer)).toMatch(/tasks/);
		}),
		async client() {
			const { requests } = await registerInBulk(sandbox, people(3, 'tasks'));
			expect(tasksSent(requests)).toEqual(bulkOf(guestAddresses(3, 'tasks')).data.attributes.tasks);
		},
	});

	statement('A request has at most 50 tasks', {
		async platform() {
			expect((await postBulk(sandbox, bulkOf(guestAddresses(50, 'fifty')))).status).toBe(202);
			const answer = await postBulk<unknown>(sandbox, bulkOf(guestAddresses(51, 'more')));
			expect(answer.status).toBe(400);
			expect(detailOf(answer)).toMatch(/51 tasks.*most 50/);
		},
		async client() {
			const { records, requests } = await registerInBulk(sandbox, people(120, 'crowd'));
			const sizes = requests
				.filter(({ operationId }) => operationId === 'registerInBulk')
				.map((request) => tasksSent([request]).length);
			expect(sizes.sort()).toEqual([20, 50, 50]);
			expect(records.map(({ status }) => status)).toEqual(Array(120).fill('registered'));
		},
	});

	statement('A bad request is a 400', {
		async platform() {
			expect((await postBulk(sandbox, bulkOfTasks('none'))).status).toBe(400);
		},
		async client() {
			const { error, seen } = await registerWhere(400, { errors: [{ detail: 'Not like that' }] });
			expect(error?.message).toContain('Nobody was registered');
			expect(error?.description).toContain('Not like that');
			expect(seen).toHaveLength(1);
		},
	});

	statement('A failed authentication is a 401', {
		async platform() {
			const headers = { Authorization: 'a guess' };
			const answer = await postBulk(sandbox, bulkOf(['a@example.org']), { headers });
			expect(answer.status).toBe(401);
		},
		async client() {
			const credential = tokenCredential({ ...sandbox, apiToken: 'a guess' });
			const some = people(1, 'nobody');
			const { error, requests } = await registerInBulk(sandbox, some, {}, { credential });
			expect(`${error?.message} ${error?.description}`).toMatch(/credential/);
			expect(requests).toHaveLength(1);
		},
	});

	statement('A blocked workspace is a 403', {
		async platform() {
			await sandbox.web.post('/_sandbox/workspace', { blocked: true });
			const answer = await postBulk<unknown>(sandbox, bulkOf(['a@example.org']));
			await sandbox.web.post('/_sandbox/workspace', { blocked: false });
			expect(answer.status).toBe(403);
			expect(detailOf(answer)).toMatch(/workspace is blocked/);
		},
		async client() {
			await sandbox.web.post('/_sandbox/workspace', { blocked: true });
			const { error, requests } = await registerInBulk(sandbox, people(1, 'blocked'));
			await sandbox.web.post('/_sandbox/workspace', { blocked: false });
			expect(error?.description).toMatch(/The workspace is blocked.*unblock access to the API/s);
			expect(requests).toHaveLength(1);
		},
	});

	statement('An unknown session is a 404', {
		async platform() {
			const body = bulkOf(['a@example.org']);
			expect((await postBulk(sandbox, body, { session: unknownId })).status).toBe(404);
		},
		async client() {
			const sessionId = byId(unknownId);
			const { error } = await registerInBulk(sandbox, people(1, 'lost'), { sessionId });
			expect(`${error?.message} ${error?.description}`).toMatch(/cannot find the session/);
		},
	});
});
