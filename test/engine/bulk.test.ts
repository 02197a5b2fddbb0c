import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { tokenCredential, runWorkflow } from '../support/engine';
import { sandboxForTests, upcomingSession, type TestSandbox } from '../support/sandbox';

let sandbox: TestSandbox;

beforeAll(async () => {
	sandbox = await sandboxForTests({ rate: 1_000 });
});
beforeEach(() => sandbox.reset());

interface Asked extends INodeParameters {
	waitForCompletion?: boolean;
	output?: string;
}

function register(
	people: readonly IDataObject[],
	parameters: Asked = {},
	settings: Partial<INode> = {},
) {
	return runWorkflow({
		node: new EventPlatform(),
		credential: tokenCredential(sandbox),
		items: people,
		settings,
		parameters: {
			resource: 'registration',
			operation: 'bulkRegister',
			sessionId: { __rl: true, mode: 'id', value: upcomingSession },
			fields: {
				mappingMode: 'defineBelow',
				value: { email: '={{ $json.email }}', first_name: '={{ $json.first_name }}' },
			},
			...parameters,
		},
	});
}

function crowd(count: number, prefix = 'p') {
	return Array.from({ length: count }, (_, index) => ({
		email: `${prefix}${index}@example.com`,
		first_name: `Name ${index}`,
	}));
}

/** Everyone who is registered on the sandbox. */
async function registered(): Promise<string[]> {
	const emails: string[] = [];
	for (let page = 0, pages = 1; page < pages; page++) {
		const { data } = await sandbox.api.get<{
			data: Array<{ attributes: { email: string } }>;
			meta: { page_count: number };
		}>(`/sessions/${upcomingSession}/people`, {
			params: { 'page[number]': page, 'page[size]': 50 },
		});
		emails.push(...data.data.map(({ attributes }) => attributes.email));
		pages = data.meta.page_count;
	}
	return emails.sort();
}

test('everyone who comes in is registered, with one outcome each, in their order', async () => {
	const people = crowd(120);
	const { items, error, hints } = await register(people);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => [json.email, json.status])).toEqual(
		people.map(({ email }) => [email, 'registered']),
	);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(people.map((_, item) => ({ item })));
	expect(items[7]?.json).toMatchObject({
		session_id: upcomingSession,
		errors: [],
		person: { email: 'p7@example.com', first_name: 'Name 7' },
	});
	expect(JSON.stringify(items)).not.toMatch(/connection_link|password_key/);
	expect(await registered()).toEqual(people.map(({ email }) => email).sort());
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^120 registered, 6 requests, \d+ s$/),
	]);
});
