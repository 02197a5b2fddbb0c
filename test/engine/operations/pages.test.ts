import '../../support/time/fasterClock';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject } from 'n8n-workflow';
import { sandboxForTests, type TestSandbox } from '../../support/platform/sandbox';
import { operate } from '../../support/n8n/operation';

const sandboxes = new Map<number, Promise<TestSandbox>>();

test.each([
	[0, { returnAll: true }, 0, 1],
	[101, { returnAll: true }, 101, 3],
	[101, { limit: 120 }, 101, 3],
	[101, { limit: 1 }, 1, 1],
])('of %i events %j gives %i, each once, in order, in %i requests', async (...given) => {
	const [count, asked, some, requests] = given;
	const { ids, pages, hints } = await list(count, asked);
	expect(new Set(ids).size).toBe(some);
	expect(ids).toEqual([...ids].sort());
	expect(pages).toEqual([...Array(requests).keys()]);
	expect(hints).toEqual(count > some ? [showing(some, count)] : []);
});

test('two lists of one run with different limits say so once each', async () => {
	const items = [{ limit: 1 }, { limit: 2 }, { limit: 1 }];
	const { hints } = await list(51, { limit: '={{ $json.limit }}' }, items);
	expect(hints.sort()).toEqual([showing(1, 51), showing(2, 51)]);
});

test('what a list of more than twenty pages costs stands in the log', async () => {
	const info = jest.spyOn(Container.get(Logger), 'info');
	await list(1_000, { returnAll: true });
	expect(info).not.toHaveBeenCalled();
	await list(1_001, { returnAll: true });
	expect(info.mock.calls).toEqual([
		[expect.stringMatching(/^Get many events: 21 requests, (?:\d+ refused \(429\), )?\d+ s$/)],
	]);
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
