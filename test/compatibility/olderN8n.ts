import { readFile } from 'node:fs/promises';
import type { Installation } from '../../host/installation';
import { startN8n } from '../../host/n8n';
import { freePort } from '../../host/ports';
import { tokenType } from '../../host/provision';
import { until } from '../../host/until';
import { startTestServer } from '../support/platform/testServer';
import { preparedN8n, userFolderWithConnector, type UserFolder } from '../support/n8n/n8n';
import { registered } from '../support/platform/registrants';
import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import {
	bulkRegister,
	eventPlatform,
	eventPlatformPollingTrigger,
	eventPlatformTrigger,
	manual,
	node,
	people,
	workflowOf,
} from '../support/n8n/workflows';
import { n8nCli, type N8nCli } from './cli';
import { upcomingSession } from '../support/platform/seededIds';
import { byId } from '../support/n8n/locators';

const credential = { id: 'compatibility', name: 'Event Platform', type: tokenType };

const smoke = workflowOf(
	'Smoke',
	manual,
	eventPlatform('List', credential, {
		resource: 'session',
		operation: 'getPeople',
		sessionId: byId(upcomingSession),
		returnAll: true,
	}),
	{ ...people(1, { domain: 'one.example.com' }), name: 'One' },
	eventPlatform('Register', credential, {
		resource: 'registration',
		operation: 'register',
		sessionId: byId(upcomingSession),
		fields: { mappingMode: 'autoMapInputData', value: null, schema: [], matchingColumns: [] },
	}),
	people(120, { domain: 'many.example.com' }),
	bulkRegister(credential, upcomingSession),
);

/** Both triggers before one node: what reaches the channel shows that the run went on. */
function listening(channel: string) {
	const parameters = { events: ['people.registered'] };
	const webhook = eventPlatformTrigger(credential, parameters);
	// After a start of n8n the first poll waits for its turn, for minutes, unless the month is not limited.
	const polling = eventPlatformPollingTrigger(credential, {
		...parameters,
		options: { keepToShare: false },
	});
	const url = `=${channel}/?{{ $json.event }}={{ $json.email }}`;
	const tell = node('Tell', 'n8n-nodes-base.httpRequest', { url }, 4.2);
	const workflow = workflowOf('Listening', webhook, polling, tell);
	const toTell = { main: [[{ node: tell.name, type: 'main', index: 0 }]] };
	return { ...workflow, connections: { [webhook.name]: toTell, [polling.name]: toTell } };
}

/** A file of tests for each version, so that they run side by side. */
export function describeVersion(version: string, recipe: string) {
	jest.setTimeout(10 * 60_000);

	const heard: string[] = [];
	let sandbox: TestSandbox;
	let cli: N8nCli;
	let installation: Installation;
	let folder: UserFolder | undefined;

	beforeAll(async () => {
		sandbox = await sandboxForTests({ seedPeople: 100 });
		const { baseUrl, apiToken } = sandbox;
		installation = await preparedN8n(recipe);
		expect(installation.version).toMatch(new RegExp(`^${version}\\.`));
		folder = await userFolderWithConnector();
		cli = n8nCli(installation, folder.userFolder);
		const channel = await startTestServer((response, request) => {
			heard.push(new URL(request.url ?? '', 'http://channel').search.slice(1));
			response.end('ok');
		});
		await cli.import('credentials', [{ ...credential, data: { baseUrl, apiToken } }]);
		await cli.import('workflow', [
			{ ...smoke, id: 'smoke', active: false },
			{ ...listening(channel.baseUrl), id: 'listening', active: false },
		]);
	});

	afterAll(() => folder?.remove());

	describe(`in n8n ${version}`, () => {
		test('the package loads, lists over pages, registers one and registers many', async () => {
			const before = (await registered(sandbox)).length;
			const output = await cli.execute('smoke');

			expect(before).toBeGreaterThan(50);
			expect(output('List')).toHaveLength(before);
			const [email, status] = ['person1@one.example.com', 'registered'];
			expect(output('Register')).toMatchObject([{ email, status }]);
			expect(output('Register in bulk')).toMatchObject(Array(120).fill({ status }));
			expect(await registered(sandbox)).toHaveLength(before + 1 + 120);
		});

		test('the triggers listen and poll, and what they hear of starts runs', async () => {
			await cli.activate('listening');
			const { userFolder = '' } = folder ?? {};
			const n8n = await startN8n(installation, {
				userFolder,
				port: await freePort(),
				environment: { N8N_LOG_LEVEL: 'debug' },
			});
			try {
				// The descriptions come from the files of the build: the code of a node is loaded when it runs.
				const log = await readFile(n8n.logFile, 'utf8');
				expect(log).toContain('Lazy-loading nodes and credentials from n8n-nodes-event-platform');
				await until('a subscription', async () => (await sandbox.subscriptions()).length > 0);
				const url = expect.stringMatching(/\/webhook\?key=[\w-]{43}$/) as string;
				expect(await sandbox.subscriptions()).toMatchObject([{ url }]);
				// The polling trigger looks for what happens after its first look; nothing else lists sessions.
				const isLook = ({ path }: { path: string }) => path === '/v1/sessions';
				await until('the first look', async () => (await sandbox.requests()).some(isLook));
				await sandbox.register('heard@example.org');
				await until('both runs', () => Promise.resolve(heard.length >= 2), 150_000);
				expect(heard).toEqual(Array(2).fill('people.registered=heard@example.org'));
			} finally {
				await n8n.stop();
			}
		});
	});
}
