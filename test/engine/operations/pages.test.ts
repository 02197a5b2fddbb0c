import '../../support/fasterClock';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject } from 'n8n-workflow';
import { sandboxForTests, type TestSandbox } from '../../support/sandbox';
import { operate } from './operate';

const limits = [1, 50, 120];
const sandboxes = new Map<number, Promise<TestSandbox>>();

describe.each([0, 50, 101])('a workspace with %i events', (count) => {
	test('Return All gives each one once, in the order of the platform, in the fewest requests', async () => {
		const { ids, pages, hints } = await list(count, { returnAll: true });
		expect(ids).toHaveLength(count);
		expect(new Set(ids).size).toBe(count);
		expect(ids).toEqual([...ids].sort());
		expect(pages).toEqual(upTo(Math.max(1, Math.ceil(count / 50))));
		expect(hints).toEqual([]);
	});

	test.each(limits)(
		'a limit of %i is kept and fetches no page that it does not need',
		async (limit) => {
			const { ids, pages, hints } = await list(count, { limit });
			const given = Math.min(count, limit);
			expect(ids).toHaveLength(given);
			expect(new Set(ids).size).toBe(given);
			expect(pages).toEqual(upTo(Math.max(1, Math.ceil(given / Math.min(limit, 50)))));
			expect(hints).toEqual(count > limit ? [showing(given, count)] : []);
		},
	);
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

function showing(given: number, count: number): string {
	return `Showing ${given} of ${count}. Turn on 'Return All' to get the rest.`;
}

function upTo(count: number): number[] {
	return Array.from({ length: count }, (_, index) => index);
}
