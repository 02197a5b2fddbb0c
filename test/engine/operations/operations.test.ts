import '../../support/fasterClock';
import type { INode } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { resources } from '../../../nodes/EventPlatform/resources';
import type { LoggedRequest } from '../../../sandbox/access/requestLog';
import { readContract } from '../../../sandbox/contract';
import { connectThroughConsent, runWorkflow, type PersonOutcome } from '../../support/engine';
import type { Credential } from '../../support/engineCredentials';
import { sandboxForTests, type TestSandbox } from '../../support/sandbox';
import { cases } from './cases';

const node = new EventPlatform();
let sandbox: TestSandbox;
let credential: Credential;
/** The operations of the contract that the cases above have used. */
const reached = new Set<string | null | undefined>();

beforeAll(async () => {
	sandbox = await sandboxForTests({ scope: 'full:write' });
	const data = { access: 'full' };
	const { baseUrl, authServerUrl, clientId, clientSecret } = sandbox;
	({ credential } = await connectThroughConsent(sandbox, {
		type: 'eventPlatformOAuth2Api',
		data: { baseUrl, authServerUrl, clientId, clientSecret, ...data },
	}));
});

test('every operation has its row here', () => {
	const names = (list: Array<{ resource: string; operation: string }>) =>
		list.map(({ resource, operation }) => `${resource}.${operation}`).sort();
	const existing = resources.flatMap(({ value, operations }) =>
		operations
			.filter((operation) => 'run' in operation)
			.map((operation) => ({ resource: value, operation: operation.value })),
	);
	expect(names(cases)).toEqual(names(existing));
});

describe.each(cases.map((one) => [`${one.resource}.${one.operation}`, one] as const))(
	'%s over three items of which the second fails',
	(_, one) => {
		test('goes on when told so: two results, one error, each with its item', async () => {
			const { items, outcome, requests } = await run(one, 'continueRegularOutput');
			const [first, bad, third] = items;
			expect(outcome.error).toBeUndefined();

			const good = [
				...one.gives(first).map((json) => [json, { item: 0 }] as const),
				...one.gives(third).map((json) => [json, { item: 2 }] as const),
			];
			const failed = outcome.items.filter(({ json }) => json.error);
			const rest = outcome.items.filter(({ json }) => !json.error);
			expect(rest.map(({ json }) => json)).toMatchObject(good.map(([json]) => json));
			expect(rest.map(({ pairedItem }) => pairedItem)).toEqual(good.map(([, paired]) => paired));

			expect(failed).toHaveLength(1);
			expect(failed[0]?.pairedItem).toEqual({ item: 1 });
			expect(outcome.items.indexOf(failed[0] ?? { json: {} })).toBe(one.gives(first).length);
			expect(failed[0]?.json.error).toMatch(one.fails);
			if (one.because) expect(failed[0]?.json.message).toMatch(one.because);

			const vain = one.sendsInVain ?? one.sends;
			expect(requests.map(told).sort()).toEqual(
				[...one.sends(first), ...vain(bad), ...one.sends(third)].sort(),
			);
			if (one.body) {
				const bodies = requests
					.filter(({ status }) => (status ?? 500) < 300)
					.map(({ body }) => body);
				expect(bodies).toEqual(expect.arrayContaining([one.body(first), one.body(third)]));
			}
		});

		test('stops with the error of that item otherwise', async () => {
			const { outcome, requests, items } = await run(one, 'stopWorkflow');
			expect(outcome.error?.message).toMatch(one.fails);
			expect(outcome.error?.context?.itemIndex).toBe(1);
			if (one.because) expect(outcome.error?.description).toMatch(one.because);
			expect(outcome.items).toEqual([]);
			expect(requests.map(told)).toEqual(expect.arrayContaining(one.sends(items[0])));
		});
	},
);

test('every operation of the contract is reached here, or said where', () => {
	const elsewhere = {
		...{ authorize: 'n8n', decideConsent: 'the browser', issueToken: 'n8n' },
		...{ putEvent: 'updateEvent does the same', putSession: 'updateSession does the same' },
		getEventPerson: 'an option of person.get (narrowing.test.ts)',
		getSessionPerson: 'registration.get by person (registration.test.ts)',
		deleteSessionPerson: 'registration.unregister by person (registration.test.ts)',
		registerInBulk: 'registration.bulkRegister (bulk.test.ts)',
	};
	const known = readContract().map(({ id }) => id);
	expect(known.filter((id) => !reached.has(id) && !(id in elsewhere))).toEqual([]);
});

type Three = [Record<string, never>, Record<string, never>, Record<string, never>];

async function run(
	one: (typeof cases)[number],
	onError: INode['onError'],
): Promise<{ items: Three; outcome: PersonOutcome; requests: LoggedRequest[] }> {
	const items = (await one.items(sandbox)) as Three;
	const before = (await sandbox.requests()).length;
	await sandbox.faults(one.faults ?? []);
	const outcome = await runWorkflow({
		node,
		credential,
		parameters: { resource: one.resource, operation: one.operation, ...one.parameters },
		items,
		settings: { onError },
	});
	const requests = (await sandbox.requests()).slice(before);
	for (const { operationId } of requests) reached.add(operationId);
	// The file of a recording lies on a host of its own.
	return { items, outcome, requests: requests.filter(({ path }) => path.startsWith('/v1/')) };
}

function told({ method, path, query }: LoggedRequest): string {
	const parts = Object.entries(query)
		.map(([name, value]) => `${name}=${value}`)
		.sort();
	return `${method} ${path.replace(/^\/v1/, '')}${parts.length > 0 ? `?${parts.join('&')}` : ''}`;
}
