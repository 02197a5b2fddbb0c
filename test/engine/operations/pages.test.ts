import '../../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import type { Deed } from '../../../sandbox/faults/faults';
import { sandboxForTests, type TestSandbox } from '../../support/platform/sandbox';
import { operate } from '../../support/n8n/operation';
import { byId } from '../../support/n8n/locators';
import { upcomingSession } from '../../support/platform/seededIds';

const sandboxes = new Map<number, Promise<TestSandbox>>();

test.each([
	{ events: 0, parameters: { returnAll: true }, listed: 0, requests: 1 },
	{ events: 101, parameters: { returnAll: true }, listed: 101, requests: 3 },
	{ events: 101, parameters: { limit: 120 }, listed: 101, requests: 3 },
	{ events: 101, parameters: { limit: 1 }, listed: 1, requests: 1 },
])(
	'of $events events $parameters lists $listed, each once, in order, in $requests requests',
	async ({ events, parameters, listed, requests }) => {
		const { ids, pages, hints } = await list(events, parameters);
		expect(new Set(ids).size).toBe(listed);
		expect(ids).toEqual([...ids].sort());
		expect(pages).toEqual([...Array(requests).keys()]);
		expect(hints).toEqual(events > listed ? [showing(listed, events)] : []);
	},
);

test('two lists of one run with different limits say so once each', async () => {
	const items = [{ limit: 1 }, { limit: 2 }, { limit: 1 }];
	const { hints } = await list(51, { limit: '={{ $json.limit }}' }, items);
	expect(hints.sort()).toEqual([showing(1, 51), showing(2, 51)]);
});

describe('a page that does not come although the list goes on', () => {
	let sandbox: TestSandbox;
	beforeAll(async () => {
		sandbox = await sandboxForTests({ seedPeople: 224 });
	});
	const sessionId = byId(upcomingSession);
	const people = `/v1/sessions/${upcomingSession}/people`;

	/** Something befalls page 1 of 0 to 3 once. */
	async function withFault(deed: Deed, operation: string) {
		const match = { method: 'GET', path: people, query: { 'page[number]': '1' } };
		await sandbox.faults([{ match, do: deed, times: 1 }]);
		const run = await operate(sandbox, operation, { sessionId, returnAll: true });
		await sandbox.web.delete('/_sandbox/faults');
		return run;
	}

	test.each([
		['empty-page', 'session.getPeople', 'is empty'],
		['empty-page', 'session.getReport', 'is empty'],
		['empty-400', 'session.getPeople', 'was refused'],
	] as const)('%s fails %s, which says what is missing', async (deed, operation, fault) => {
		const { error, records } = await withFault(deed, operation);
		expect(records).toEqual([]);
		expect(error?.message).toBe('The platform left out a part of the list');
		expect(error?.description).toContain(`Page 2 of 4 ${fault}. The list has 180 records.`);
	});

	test('is asked for again where a gateway has refused it', async () => {
		const { error, records } = await withFault('html-400', 'session.getPeople');
		expect(error).toBeUndefined();
		expect(records).toHaveLength(180);
	});
});

async function list(count: number, parameters: object, items?: IDataObject[]) {
	const started = sandboxes.get(count) ?? sandboxForTests({ seedEvents: count });
	sandboxes.set(count, started);
	const outcome = await operate(await started, 'event.getAll', parameters, { items });
	const { error, records, requests, hints } = outcome;
	if (error) throw error;
	const pages = requests.map(({ query }) => Number(query['page[number]'])).sort((a, b) => a - b);
	return { ids: records.map(({ id }) => id), pages, hints };
}

function showing(limit: number, count: number): string {
	return `Showing ${limit} of ${count}. Turn on 'Return All' to get the rest.`;
}
