import type { IDataObject } from 'n8n-workflow';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import type { LoggedRequest } from '../../sandbox/access/requestLog';
import type { SandboxOptions } from '../../sandbox/options';
import { Engine, type RunScene } from '../support/n8n/engine';
import {
	connectThroughConsent,
	tokenCredential,
	type Connection,
} from '../support/n8n/engineConsent';
import { mapped, operate } from '../support/n8n/operation';
import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { startTestServer } from '../support/platform/testServer';
import { byId } from '../support/n8n/locators';
import { upcomingSession } from '../support/platform/seededIds';

/** The platform of the specification and nothing more, as strict as the text. */
export function exactPlatform(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
	return sandboxForTests({ world: 'exact', ...options });
}

/** A platform, and n8n as an app that somebody has connected to it. */
export interface ConnectedApp extends Connection {
	sandbox: TestSandbox;
	/** Lists events, and keeps the tokens that n8n stores. */
	lists: Engine;
	storedTokens(): Record<string, string>;
	/** Gives the requests to the token endpoint, oldest first. */
	tokenRequests(): Promise<LoggedRequest[]>;
	/** The next request of the API finds that the access token has expired. */
	expireToken(): Promise<void>;
}

/** A platform that an app of n8n can connect to, which sends the parameters for a token in a form. */
export async function connectedApp(options: Partial<SandboxOptions> = {}): Promise<ConnectedApp> {
	const sandbox = await exactPlatform({ oauthParams: 'any', ...options });
	const connection = await connectThroughConsent(sandbox);
	const parameters = { resource: 'event', operation: 'getAll', limit: 1 };
	const lists = new Engine({
		node: new EventPlatform(),
		credential: connection.credential,
		parameters,
	});
	const storedTokens = () => lists.storedCredential.oauthTokenData as Record<string, string>;
	const tokenRequests = async () =>
		(await sandbox.requests()).filter(({ path }) => path === '/oauth/token');
	const expireToken = () => sandbox.faults([{ match: { path: '/v1/events' }, do: 'expire-token' }]);
	return { sandbox, ...connection, lists, storedTokens, tokenRequests, expireToken };
}

/** Registers these people with Bulk Register; the columns of a person are the ids of the form. */
export function registerInBulk(
	sandbox: TestSandbox,
	people: readonly IDataObject[],
	parameters: object = {},
	scene: Partial<RunScene> = {},
) {
	const ids = [...new Set(people.flatMap(Object.keys))];
	const value = Object.fromEntries(ids.map((id) => [id, `={{ $json.${id} }}`]));
	const ofSession = { sessionId: byId(upcomingSession), fields: mapped(value), ...parameters };
	return operate(sandbox, 'registration.bulkRegister', ofSession, { items: people, ...scene });
}

/** Registers one person with Register. */
export function registerOne(
	sandbox: TestSandbox,
	answers: IDataObject,
	parameters: object = {},
	scene: Partial<RunScene> = {},
) {
	const ofSession = { sessionId: byId(upcomingSession), fields: mapped(answers), ...parameters };
	return operate(sandbox, 'registration.register', ofSession, scene);
}

/** Gives the tasks that were sent with the only request for bulk registration. */
export function tasksSent(requests: Array<{ operationId: string | null; body: unknown }>) {
	interface Bulk {
		data: { type: string; attributes: { tasks: object[] } };
	}
	const bulk = requests.filter(({ operationId }) => operationId === 'registerInBulk');
	expect(bulk).toHaveLength(1);
	return (bulk[0]?.body as Bulk).data.attributes.tasks;
}

interface AskedFor {
	method: string;
	/** Below /v1. */
	path: string;
	query: URLSearchParams;
}

/** A platform with these answers and no others, for what the sandbox never sends: JSON with a 200 unless it says otherwise. */
export async function answering(answer: (request: AskedFor) => { status?: number; body: unknown }) {
	const { baseUrl, seen } = await startTestServer((response, { method = '', url = '' }) => {
		const { pathname, searchParams } = new URL(url, 'http://localhost');
		const path = pathname.replace(/^\/v1/, '');
		const { status = 200, body } = answer({ method, path, query: searchParams });
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(typeof body === 'string' ? body : JSON.stringify(body));
	});
	return { seen, credential: tokenCredential({ baseUrl, apiToken: 'a-token' }) };
}
