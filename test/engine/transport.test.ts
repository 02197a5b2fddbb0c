import '../support/time/fasterClock';
import type { ServerResponse } from 'node:http';
import { connect } from '../../nodes/EventPlatform/n8n/connect';
import { readRecord } from '../../nodes/EventPlatform/core/client/document';
import type { ApiRequest } from '../../nodes/EventPlatform/core/client/request';
import { startTestServer, drip } from '../support/platform/testServer';
import { runWorkflow } from '../support/n8n/engine';
import { probe } from './probeNode';
import { tokenCredential, unconnectedCredential } from '../support/n8n/engineConsent';

const apiToken = 'token-that-nobody-may-see-0815';

/** A node that sends one request and hands on what it gets. */
const sends = (request: ApiRequest, withinMs?: number) =>
	probe(async (context) => {
		const { client, clock } = await connect(context);
		const deadline = withinMs === undefined ? undefined : clock.now() + withinMs;
		const record = readRecord(request, await client.send({ ...request, deadlineAtMs: deadline }));
		return [{ json: record }];
	});

const getEvent: ApiRequest = { method: 'GET', path: '/events/1' };
const post: ApiRequest = { method: 'POST', path: '/events', body: { data: {} } };

const json = 'application/vnd.api+json';
const answerWith =
	(status: number, body: string, type = json, headers: Record<string, string> = {}) =>
	(response: ServerResponse) =>
		void response.writeHead(status, { 'content-type': type, ...headers }).end(body);

const errors = (error: object) => JSON.stringify({ errors: [error] });
const deep = '['.repeat(50_000) + ']'.repeat(50_000);
const breakOff = (response: ServerResponse) => {
	response.writeHead(201, { 'content-length': '999' }).write('{"data":');
	setTimeout(() => response.destroy(), 20);
};

describe('whatever is answered, people are told in words', () => {
	const detail = "EPERM: there is no field 'x' here";
	const broke = 'The connection broke before the platform answered';
	const refused = 'The platform refused the request as invalid (400)';

	test.each<[string, (response: ServerResponse) => void, string, string?]>([
		[
			'a JSON:API error',
			answerWith(400, errors({ title: 'Bad', detail, code: '102' })),
			`${detail} (400)`,
			`${detail} [102]`,
		],
		[
			'HTML with a 200',
			answerWith(200, '<!doctype html><title>Log in</title>', 'text/html'),
			'The platform answered with something other than JSON, such as an HTML page (200)',
			"'Base URL'",
		],
		['an error as deep as it is long', answerWith(400, `{"errors":${deep}}`), refused],
		['a connection that breaks', (response) => response.destroy(), broke, 'may or may not'],
		['an answer that breaks off', breakOff, broke],
		['nothing, until the time is over', () => {}, broke],
		['an answer that never ends', drip, broke, 'ETIMEDOUT'],
	])('%s', async (_, answer, title, said = '') => {
		const { baseUrl, seen } = await startTestServer(answer);
		const credential = tokenCredential({ baseUrl, apiToken });
		const { error } = await runWorkflow({ node: sends(post, 1_000), credential });
		expect(error?.message).toBe(title);
		expect(error?.description).toContain(said);
		expect(error?.description?.length).toBeLessThan(2_000);
		expect(seen).toHaveLength(1);
	});
});

test('a change that leaves right before its deadline is answered in the time that it has of its own', async () => {
	const answer = answerWith(200, '{"data":{"id":"1"}}');
	const { baseUrl } = await startTestServer((response) => void setTimeout(answer, 1_500, response));
	const removal: ApiRequest = { method: 'DELETE', path: '/sessions/1/people/1', timeoutMs: 10_000 };
	const credential = tokenCredential({ baseUrl, apiToken });
	const { error } = await runWorkflow({ node: sends(removal, 500), credential });
	expect(error).toBeUndefined();
});

test('a base URL with a path, such as that of a gateway, stands in front of every path', async () => {
	const { baseUrl, seen } = await startTestServer(answerWith(200, '{"data":{"id":"1"}}'));
	const credential = tokenCredential({ baseUrl: `${baseUrl}/gateway/eu/`, apiToken });
	const { error } = await runWorkflow({ node: sends(getEvent), credential });
	expect(error).toBeUndefined();
	expect(seen.map(({ url }) => url)).toEqual(['/gateway/eu/v1/events/1']);
});

describe('no secret gets out', () => {
	test.each([
		[
			'in an error',
			answerWith(400, errors({ detail: `No: ${apiToken}`, title: apiToken })),
			/refused the request as invalid \(400\)$/,
		],
		['in a page', answerWith(200, `<html>${apiToken}</html>`), /other than JSON/],
		[
			'in an OAuth error',
			answerWith(401, JSON.stringify({ error: apiToken })),
			/did not accept the credential \(401\)$/,
		],
		['half of it cut off', answerWith(201, `{"data":{"token":"${apiToken}`), /other than JSON/],
	])('when the platform echoes the token %s', async (_, answer, title) => {
		const { baseUrl } = await startTestServer(answer);
		const outcome = await runWorkflow({
			node: sends(post),
			credential: tokenCredential({ baseUrl, apiToken }),
		});
		expect(outcome.error?.message).toMatch(title);
		expect(everything(outcome.error)).not.toContain(apiToken);
		expect(JSON.stringify(outcome.run)).not.toContain(apiToken);
	});

	test('when the platform echoes every secret of an OAuth2 credential', async () => {
		const secrets = {
			access_token: 'access-4711',
			refresh_token: 'refresh-4712',
			clientSecret: 'client-4713',
			webhookSecret: 'webhook-4714',
		};
		const detail = `No: ${Object.values(secrets).join(' ')}`;
		const { baseUrl } = await startTestServer(answerWith(400, errors({ detail })));
		const { access_token, refresh_token, ...more } = secrets;
		const credential = unconnectedCredential(
			{ baseUrl, authServerUrl: baseUrl, clientId: 'client', clientSecret: '' },
			{ ...more, oauthTokenData: { access_token, refresh_token } },
		);
		const { error } = await runWorkflow({ node: sends(post), credential });
		expect(error?.description).toContain('No: … … … …');
		expect(everything(error)).not.toMatch(/471\d/);
	});

	test('when n8n hands on what the token endpoint says, as some versions do', async () => {
		const body = { error: 'invalid_grant', error_description: `No: ${apiToken}` };
		const thrown = Object.assign(new Error('EAUTH'), { code: 'EAUTH', status: 400, body });
		const node = probe(async (context) => {
			context.helpers.httpRequestWithAuthentication = () => Promise.reject(thrown);
			const { client } = await connect(context);
			await client.send(getEvent);
			return [];
		});
		const credential = tokenCredential({ baseUrl: 'http://127.0.0.1:1', apiToken });
		const { error } = await runWorkflow({ node, credential });
		expect(error?.description).toContain('No: …');
		expect(everything(error)).not.toContain(apiToken);
	});

	test('when it was pasted with a space, a line break or what nobody sees', async () => {
		const { baseUrl } = await startTestServer((response, { headers }) =>
			answerWith(400, errors({ detail: `No: ${headers.authorization}` }))(response),
		);
		for (const pasted of ['… ', '…\n', '\u200b…', '\t…\r\n']) {
			const around = pasted.replace('…', apiToken);
			const credential = tokenCredential({ baseUrl, apiToken: around });
			const { error } = await runWorkflow({ node: sends(post), credential });
			expect(error?.description).toContain('The platform said: No: …');
			expect(everything(error)).not.toContain(apiToken);
		}
	});

	test('when it is quoted, and what the platform says of it stays', async () => {
		const quoted = 'token/with "quotes"+and=more';
		const detail = `"Authorization": ${JSON.stringify(quoted)} is out of date`;
		const { baseUrl } = await startTestServer(answerWith(400, errors({ detail, meta: [quoted] })));
		const outcome = await runWorkflow({
			node: sends(post),
			credential: tokenCredential({ baseUrl, apiToken: quoted }),
		});
		expect(outcome.error?.description).toContain('is out of date');
		expect(everything(outcome.error)).not.toContain('+and=more');
	});

	test('in an answer that is no error: what the platform sends of it is data of nobody', async () => {
		const sent = `{"data":{"id":"7","attributes":{"note":"with ${apiToken}"}}}`;
		const { baseUrl } = await startTestServer(answerWith(200, sent));
		const credential = tokenCredential({ baseUrl, apiToken });
		const { items } = await runWorkflow({ node: sends(getEvent), credential });
		expect(items[0]?.json).toEqual({ id: '7', attributes: { note: 'with …' } });
	});

	test('by a redirect to another address', async () => {
		const elsewhere = await startTestServer(answerWith(200, '{}'));
		const here = await startTestServer(answerWith(307, '', json, { location: elsewhere.baseUrl }));
		const credential = tokenCredential({ baseUrl: here.baseUrl, apiToken });
		await runWorkflow({ node: sends(getEvent), credential });
		expect(here.seen).toHaveLength(1);
		expect(elsewhere.seen).toHaveLength(0);
	});
});

/** Every text that hangs on an error, however deep, enumerable or not. */
function everything(value: unknown, seen = new Set<unknown>()): string {
	if (typeof value !== 'object' || value === null || seen.has(value)) return String(value);
	seen.add(value);
	return Object.getOwnPropertyNames(value)
		.map((name) => everything((value as Record<string, unknown>)[name], seen))
		.join('\n');
}
