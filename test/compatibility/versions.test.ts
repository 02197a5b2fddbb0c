import type { Installation } from '../../host/installation';
import { startN8n } from '../../host/n8n';
import { freePort } from '../../host/ports';
import { tokenType } from '../../host/provision';
import { until } from '../../host/until';
import { anyServer } from '../support/anyServer';
import { N8nCli } from '../support/cli';
import { preparedN8n, recipes, userFolderWithConnector } from '../support/n8n';
import { registered } from '../support/registered';
import { sandboxForTests, upcomingSession, type TestSandbox } from '../support/sandbox';
import {
	bulkRegister,
	byId,
	eventPlatform,
	eventPlatformPollingTrigger,
	eventPlatformTrigger,
	manual,
	node,
	people,
	workflowOf,
} from '../support/workflows';

jest.setTimeout(10 * 60_000);

const credential = { id: 'compatibility', name: 'Event Platform', type: tokenType };

describe.each([
	['1.123', recipes.n8n1],
	['2.3', recipes.early2],
])('in n8n %s', (version, recipe) => {
	let sandbox: TestSandbox;
	let cli: N8nCli;
	let installation: Installation;
	let userFolder: string;
	let removeUserFolder: (() => Promise<void>) | undefined;

	beforeAll(async () => {
		sandbox = await sandboxForTests({ seedPeople: 100 });
		installation = await preparedN8n(recipe);
		expect(installation.version).toMatch(new RegExp(`^${version}\\.`));
		const folder = await userFolderWithConnector();
		({ userFolder, remove: removeUserFolder } = folder);
		cli = new N8nCli(installation, userFolder);
		const { baseUrl, apiToken } = sandbox;
		await cli.importCredential({ ...credential, data: { baseUrl, apiToken } });
	});

	afterAll(() => removeUserFolder?.());

	test('the package loads, lists over pages, registers one and registers many', async () => {
		const before = (await registered(sandbox)).length;
		const workflow = workflowOf(
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
		await cli.importWorkflow({ ...workflow, id: 'smoke', active: false });
		const output = await cli.execute('smoke');

		expect(before).toBeGreaterThan(50);
		expect(output('List')).toHaveLength(before);
		expect(output('Register')).toMatchObject([
			{ email: 'person1@one.example.com', status: 'registered' },
		]);
		const statuses = output('Register in bulk').map(({ status }) => status);
		expect(statuses).toEqual(Array<string>(120).fill('registered'));
		expect(await registered(sandbox)).toHaveLength(before + 1 + 120);
	});

	test('the triggers listen and poll, and what they hear of starts runs', async () => {
		const heard: string[] = [];
		const { baseUrl } = await anyServer((response, request) => {
			heard.push(new URL(request.url ?? '', 'http://channel').search.slice(1));
			response.end('ok');
		});
		/** What reaches the channel shows that the run went on. */
		const tell = node(
			'Tell',
			'n8n-nodes-base.httpRequest',
			{ url: `=${baseUrl}/?{{ $json.event }}={{ $json.email }}` },
			4.2,
		);
		const events = ['people.registered'];
		for (const [id, trigger] of [
			['webhook', eventPlatformTrigger(credential, { events })],
			['polling', eventPlatformPollingTrigger(credential, { events })],
		] as const) {
			await cli.importWorkflow({ ...workflowOf(id, trigger, tell), id, active: false });
			await cli.activate(id);
		}
		const n8n = await startN8n(installation, { userFolder, port: await freePort() });
		try {
			const subscribed = async () => (await sandbox.subscriptions()).length > 0;
			await until('a subscription', subscribed);
			const url = expect.stringMatching(/\/webhook\?key=[\w-]{43}$/) as string;
			expect(await sandbox.subscriptions()).toMatchObject([{ url }]);
			// The polling trigger looks for what happens after its first look.
			await until('the first look', async () => (await looks()) > 0);
			await sandbox.register('heard@example.org');
			await until('both runs', () => Promise.resolve(heard.length >= 2), 150_000);
			expect(heard).toEqual(Array(2).fill('people.registered=heard@example.org'));
		} finally {
			await n8n.stop();
		}
	});

	/** The requests for the list of sessions: only the polling trigger sends them. */
	async function looks() {
		const requests = await sandbox.requests();
		return requests.filter(({ path }) => path === '/v1/sessions').length;
	}
});
