import { tokenType } from '../../host/provision';
import { N8nCli } from '../support/cli';
import { preparedN8n, recipes, userFolderWithConnector } from '../support/n8n';
import { sandboxForTests, upcomingSession, type TestSandbox } from '../support/sandbox';
import { bulkRegister, eventPlatform, manual, people, workflowOf } from '../support/workflows';

jest.setTimeout(10 * 60_000);

const session = { __rl: true, mode: 'id', value: upcomingSession };
const credential = { id: 'compatibility', name: 'Event Platform', type: tokenType };

describe.each([
	['1.123', recipes.n8n1],
	['2.3', recipes.early2],
])('in n8n %s', (version, recipe) => {
	let sandbox: TestSandbox;
	let cli: N8nCli;
	let removeUserFolder: (() => Promise<void>) | undefined;

	beforeAll(async () => {
		sandbox = await sandboxForTests({ seedPeople: 100 });
		const installation = await preparedN8n(recipe);
		expect(installation.version).toMatch(new RegExp(`^${version}\\.`));
		const { userFolder, remove } = await userFolderWithConnector();
		removeUserFolder = remove;
		cli = new N8nCli(installation, userFolder);
		const { baseUrl, apiToken } = sandbox;
		await cli.importCredential({ ...credential, data: { baseUrl, apiToken } });
	});

	afterAll(() => removeUserFolder?.());

	test('the package loads, lists over pages, registers one and registers many', async () => {
		const before = await registrants();
		const workflow = workflowOf(
			'Smoke',
			manual,
			eventPlatform('List', credential, {
				resource: 'session',
				operation: 'getPeople',
				sessionId: session,
				returnAll: true,
			}),
			{ ...people(1, { domain: 'one.example.com' }), name: 'One' },
			eventPlatform('Register', credential, {
				resource: 'registration',
				operation: 'register',
				sessionId: session,
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
		expect(await registrants()).toBe(before + 1 + 120);
	});

	async function registrants() {
		const { data } = await sandbox.api.get<{ meta: { record_count: number } }>(
			`/sessions/${upcomingSession}/people`,
		);
		return data.meta.record_count;
	}
});
