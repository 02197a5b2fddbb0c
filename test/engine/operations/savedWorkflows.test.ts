import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { Engine, tokenCredential } from '../../support/engine';
import { sandboxForTests, seededEvent, type TestSandbox } from '../../support/sandbox';
import { fresh, makeUser } from './making';
import { byId } from './operationCase';

const node = new EventPlatform();
let sandbox: TestSandbox;

beforeAll(async () => {
	sandbox = await sandboxForTests();
});

/** What was a plain text in version 0.1 and is a locator now. */
const forms: Array<[string, (id: string) => INodeParameters | string]> = [
	['saved as a text', (id) => id],
	['saved as an expression', (id) => `={{ '${id}' }}`],
	['chosen from the list', (id) => ({ __rl: true, mode: 'list', value: id })],
	['given by ID', (id) => byId(id)],
];

describe.each(forms)('%s', (_, saved) => {
	test('a user is deleted', async () => {
		const id = await makeUser(sandbox);
		const { items } = await run({ resource: 'user', operation: 'delete', userId: saved(id) });
		expect(items).toEqual([{ deleted: true, id }]);
	});

	test('a session has its time zone', async () => {
		const timezone = saved('Asia/Tokyo');
		const start = { estimatedStartedAt: '2027-03-01T10:00:00', timezone };
		const { items } = await run({
			...{ resource: 'session', operation: 'create', eventId: byId(seededEvent) },
			...start,
		});
		expect(items).toMatchObject([{ timezone: 'Asia/Tokyo' }]);
		const sessions = { session: [start] };
		const event = { resource: 'event', operation: 'create', title: fresh('Zone'), sessions };
		expect((await run(event)).items).toMatchObject([
			{
				sessions: [{ id: expect.any(String) as string, timezone: 'Asia/Tokyo' }],
			},
		]);
	});

	test('an event has its owner and what it copies', async () => {
		const owner = await makeUser(sandbox);
		const additionalFields = { ownerId: saved(owner), copyFromEventId: saved(seededEvent) };
		const created = await run({
			resource: 'event',
			operation: 'create',
			title: fresh('Copy'),
			additionalFields,
			options: { fields: ['all'] },
		});
		expect(created.items).toMatchObject([{ owner_id: owner, language: 'en' }]);
		const fields = (created.items[0]?.fields ?? []) as Array<{ id: string }>;
		expect(fields.map(({ id }) => id)).toContain('company');
	});
});

test('an owner that was added and left empty is left out of a new event', async () => {
	const { items, error } = await run({
		resource: 'event',
		operation: 'create',
		title: fresh('Event'),
		additionalFields: { ownerId: { __rl: true, mode: 'list', value: '' } },
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
});

async function run(parameters: object) {
	const engine = new Engine({
		node,
		credential: tokenCredential(sandbox),
		parameters: parameters as INodeParameters,
	});
	expect(issuesOf(engine.node)).toBeNull();
	const { items, error } = await engine.run();
	return { items: items.map(({ json }) => json), error };
}

/** What n8n would refuse to run the workflow for. */
function issuesOf(placed: INode) {
	const { properties } = node.description;
	return NodeHelpers.getNodeParametersIssues(properties, placed, node.description);
}
