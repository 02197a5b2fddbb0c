import '../../support/time/fasterClock';
import type { INode } from 'n8n-workflow';
import type { LoggedRequest } from '../../../sandbox/access/requestLog';
import { readContract } from '../../../sandbox/contract';
import { connectThroughConsent } from '../../support/n8n/engineConsent';
import type { Credential } from '../../support/n8n/engineCredentials';
import { sandboxOfFile } from '../../support/platform/sandbox';
import { cases, operations } from './cases';
import { describeRequest, operate, type OperationRun } from '../../support/n8n/operation';
import { saidOf, type Item } from './operationCase';

const sandbox = sandboxOfFile({ scope: 'full:write' });
let credential: Credential;
/** The operations of the contract that the cases above have used. */
const reached = new Set<string | null | undefined>();

beforeAll(async () => {
	({ credential } = await connectThroughConsent(sandbox, { access: 'full' }));
});

test('every operation has its row here', () => {
	const names = (list: Array<{ resource: string; operation: string }>) =>
		list.map(({ resource, operation }) => `${resource}.${operation}`).sort();
	expect(names(cases)).toEqual(names(operations.filter(({ ofAllItems }) => !ofAllItems)));
});

describe.each(cases)(
	'$resource.$operation over three items of which the second fails',
	(operationCase) => {
		let scene: CaseRun;
		beforeAll(async () => {
			scene = await run(operationCase, 'continueRegularOutput');
		});
		const { sends, sendsInVain = sends, gives, fails, body } = operationCase;

		test('gives two results and one error', () => {
			const [first, , third] = scene.items;
			expect(scene.outcome.error).toBeUndefined();
			const failed = { error: expect.stringMatching(fails) as string };
			expect(scene.outcome.records).toMatchObject([
				saidOf(gives, first),
				failed,
				saidOf(gives, third),
			]);
		});

		test('pairs each of them with its item', () => {
			expect(scene.outcome.items.map(({ pairedItem }) => pairedItem)).toEqual([
				{ item: 0 },
				{ item: 1 },
				{ item: 2 },
			]);
		});

		test('sends the requests that it needs, and no more', () => {
			const sent = scene.items.flatMap((item, place) =>
				saidOf(place === 1 ? sendsInVain : sends, item),
			);
			expect(scene.requests.map(describeRequest).sort()).toEqual(sent.sort());
		});

		if (body) {
			test('sends the bodies of both', () => {
				const [first, , third] = scene.items;
				const good = scene.requests.filter(({ status }) => (status ?? 500) < 300);
				const bodies = good.map((request) => request.body).filter((sent) => sent !== null);
				expect(bodies).toEqual([saidOf(body, first), saidOf(body, third)]);
			});
		}
	},
);

test.each(cases.filter(({ operation }) => ['getPeople', 'update'].includes(operation)))(
	'$resource.$operation stops with the error of the second item unless it is told to go on',
	async (operationCase) => {
		const { outcome, requests, items } = await run(operationCase, 'stopWorkflow');
		expect(outcome.error?.message).toMatch(operationCase.fails);
		expect(outcome.error?.context?.itemIndex).toBe(1);
		expect(outcome.items).toEqual([]);
		expect(requests.map(describeRequest)).toEqual(
			expect.arrayContaining(saidOf(operationCase.sends, items[0])),
		);
	},
);

test('every operation of the contract is reached here, or said where', () => {
	const elsewhere = {
		authorize: 'n8n',
		decideConsent: 'the browser',
		issueToken: 'n8n',
		putEvent: 'updateEvent does the same',
		putSession: 'updateSession does the same',
		getEventPerson: 'an option of person.get (narrowing.test.ts)',
		getSessionPerson: 'registration.get by person (registration.test.ts)',
		unregisterByEmail: 'registration.unregister looks for the person, and takes the ID',
		registerInBulk: 'registration.bulkRegister (bulk.test.ts)',
	};
	const ids = readContract().map(({ id }) => id);
	expect(ids.filter((id) => !reached.has(id) && !(id in elsewhere))).toEqual([]);
});

interface CaseRun {
	items: Item[];
	outcome: OperationRun;
	/** The requests to the API only. The file of a recording lies on a host of its own. */
	requests: LoggedRequest[];
}

async function run(
	operationCase: (typeof cases)[number],
	onError: INode['onError'],
): Promise<CaseRun> {
	const items = await operationCase.items(sandbox);
	await sandbox.faults(operationCase.faults ?? []);
	const name = `${operationCase.resource}.${operationCase.operation}`;
	const scene = { credential, items, settings: { onError } };
	const outcome = await operate(sandbox, name, operationCase.parameters, scene);
	for (const { operationId } of outcome.requests) reached.add(operationId);
	const requests = outcome.requests.filter(({ path }) => path.startsWith('/v1/'));
	return { items, outcome, requests };
}
