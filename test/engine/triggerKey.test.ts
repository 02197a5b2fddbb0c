import { operate } from '../support/n8n/operation';
import { SimulatedTime } from '../support/n8n/pollingHost';
import { connectThroughConsent, tokenCredential } from '../support/n8n/engineConsent';
import { linesOfLog } from './log';
import { startTestServer } from '../support/platform/testServer';
import { claim, TriggerScene } from '../support/n8n/triggerScene';
import type { WebhookHost } from '../support/n8n/webhookHost';
import { eventually } from '../support/time/eventually';
import { unknownId } from '../support/platform/seededIds';

const scene = new TriggerScene();
const time = new SimulatedTime();
const fourKinds = ['job.ended', 'people.registered', 'session.ended', 'session.started'];

/** The keys in the URLs that the platform has for this trigger. */
async function keysOf(host: WebhookHost): Promise<Array<string | null>> {
	const urls = (await scene.subscriptions()).map(({ url }) => new URL(url));
	const ours = urls.filter(({ origin, pathname }) => origin + pathname === host.url);
	return ours.map(({ searchParams }) => searchParams.get('key'));
}

const keyOf = async (host: WebhookHost) => (await keysOf(host))[0] ?? '';

test('what the platform delivers to our own subscription starts its run for nothing, also with OAuth2', async () => {
	const { credential } = await connectThroughConsent(scene.sandbox);
	const host = await scene.listen({}, { credential });
	const ids = await Promise.all(Array.from({ length: 5 }, () => scene.startJob()));
	await eventually(() => host.answers.length === 5);
	expect(host.items.map(({ id }) => id).sort()).toEqual([...ids].sort());
	expect(await scene.confirmations()).toEqual([]);
});

describe('when the secret of the credential changes', () => {
	async function rotating(events = fourKinds) {
		const { credential } = await connectThroughConsent(scene.sandbox);
		const host = await scene.listen({ events }, { credential });
		const former = await keyOf(host);
		host.changeCredential({ clientSecret: 'rotated' });
		return { host, former };
	}

	test('the next start subscribes anew before it removes the former ones', async () => {
		const { host, former } = await rotating();
		const calls = await scene.calls(() => host.activate('init'));
		const keys = new Set(await keysOf(host));
		expect(keys.size).toBe(1);
		expect(keys).not.toContain(former);
		expect(await scene.eventTypesOf(host.url)).toEqual(fourKinds);
		expect(await scene.subscriptions()).toHaveLength(4);
		const methods = calls.map((call) => call.split(' ')[0]).filter((method) => method !== 'GET');
		expect(methods.join(' ')).toBe('POST POST POST POST DELETE DELETE DELETE DELETE');
	});

	test('what cannot be removed at once goes at the next start', async () => {
		const { host } = await rotating();
		const match = { method: 'DELETE', path: '/v1/webhooks/:id' };
		await scene.sandbox.faults([{ match, times: 4, do: '500' }]);
		await host.activate('init');
		expect(await scene.subscriptions()).toHaveLength(5);
		await host.activate('init');
		expect(await scene.subscriptions()).toHaveLength(4);
	});

	test('deliveries with the former key are looked up and not refused', async () => {
		const { host, former } = await rotating(['job.ended']);
		const id = await scene.startJob();
		await eventually(() => host.runs.length > 0);
		expect(host.items).toMatchObject([{ id }]);
		expect(await scene.confirmations()).toEqual([`/v1/jobs/${id}`]);
		const forged = await host.deliver({ body: claim(unknownId), query: { key: former } });
		expect(forged.sent?.status).toBe(401);
	});
});

describe('the key shows nowhere', () => {
	test('not in what is stored, in items, or in what the platform says about a URL', async () => {
		const host = await scene.listen({ output: 'tasks' });
		const key = await keyOf(host);
		await scene.startJob();
		await eventually(() => host.runs.length > 0);
		expect(host.stored + JSON.stringify(host.items)).not.toContain(key);
	});

	test('not in the error of an activation whose URL the platform quotes, however it does', async () => {
		let key = '';
		const { baseUrl } = await startTestServer((response, { method }, body) => {
			const refused = method === 'POST';
			const url = /"url":"([^"]*)"/.exec(body)?.[1] ?? '';
			key = /key=([\w-]{43})$/.exec(url)?.[1] ?? key;
			const quotes = [`Bad url ${url}`, encodeURIComponent(url), `<a href="${url}">`, `No: ${key}`];
			const errors = quotes.map((detail) => ({ detail }));
			response.writeHead(refused ? 422 : 200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(refused ? { errors } : { data: [] }));
		});
		const credential = tokenCredential({ baseUrl, apiToken: scene.sandbox.apiToken });
		const host = await scene.start({}, { credential });
		const error = (await host.activate().catch((thrown: unknown) => thrown)) as Error;
		expect(error.message).toContain('Bad url');
		expect(key).toHaveLength(43);
		expect(JSON.stringify(error) + error.message).not.toContain(key);
	});

	test.each([
		['an activation', 'POST'],
		['a check of the subscriptions', 'GET'],
	])('nor does the API token, where the platform quotes it: %s', async (_, refused) => {
		const warnings = linesOfLog('warn');
		const apiToken = 'token-4711-that-nobody-may-read';
		let isRefused = refused === 'POST';
		const { baseUrl } = await startTestServer((response, { headers, method }) => {
			const isWell = !isRefused || method !== refused;
			const detail = `No access with ${headers.authorization}, ${apiToken}`;
			response.writeHead(isWell ? 200 : 400, { 'content-type': 'application/json' });
			const data = method === 'POST' ? { id: '1', type: 'webhooks', attributes: {} } : [];
			response.end(JSON.stringify(isWell ? { data } : { errors: [{ detail, code: apiToken }] }));
		});
		const credential = tokenCredential({ baseUrl, apiToken });
		const host = await scene.start({}, { credential });
		const activation = await host.activate().catch(String);
		isRefused = true;
		time.passMinutes(60);
		const check = await host.poll().catch(String);
		const shown = [activation, check, ...warnings(), host.stored].join();
		expect(shown).toContain('No access with');
		expect(shown).not.toContain(apiToken);
	});

	test('not in the list of webhooks, not even in records as the platform sends them', async () => {
		const host = await scene.listen();
		const list = async (simplify: boolean) =>
			(await operate(scene.sandbox, 'webhook.getAll', { simplify })).records;
		const url = `${host.url}?key=…`;
		expect(await list(true)).toMatchObject([{ url, event: 'job.ended' }]);
		expect(await list(false)).toMatchObject([{ attributes: { url, event: 'job.ended' } }]);
	});
});
