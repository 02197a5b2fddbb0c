import '../../support/fasterClock';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { text } from '../../../nodes/EventPlatform/core/http/text';
import { runWorkflow, tokenCredential } from '../../support/engine';
import { sandboxForTests, type TestSandbox } from '../../support/sandbox';

const counts = [0, 50, 101];
const limits = [1, 50, 120];
const sandboxes = new Map<number, Promise<TestSandbox>>();

function withEvents(count: number): Promise<TestSandbox> {
	const started = sandboxes.get(count) ?? sandboxForTests({ seedEvents: count });
	sandboxes.set(count, started);
	return started;
}

describe.each(counts)('a workspace with %i events', (count) => {
	test('Return All gives each one once, in the order of the platform, in the fewest requests', async () => {
		const sandbox = await withEvents(count);
		const { ids, pages, hints } = await list(sandbox, { returnAll: true });
		expect(ids).toHaveLength(count);
		expect(new Set(ids).size).toBe(count);
		expect(ids).toEqual([...ids].sort());
		expect(pages).toEqual(upTo(Math.max(1, Math.ceil(count / 50))));
		expect(hints).toEqual([]);
	});

	test.each(limits)(
		'a limit of %i is kept and fetches no page that it does not need',
		async (limit) => {
			const sandbox = await withEvents(count);
			const { ids, pages, hints } = await list(sandbox, { limit });
			const given = Math.min(count, limit);
			expect(ids).toHaveLength(given);
			expect(new Set(ids).size).toBe(given);
			expect(pages).toEqual(upTo(Math.max(1, Math.ceil(given / Math.min(limit, 50)))));
			const said = `Showing ${given} of ${count.toLocaleString('en-US')}. Turn on 'Return All' to get the rest.`;
			expect(hints).toEqual(count > limit ? [said] : []);
		},
	);
});

test('two lists of one run with different limits say so once each', async () => {
	const sandbox = await withEvents(51);
	const { hints } = await list(sandbox, { limit: '={{ $json.limit }}' }, [
		{ limit: 1 },
		{ limit: 2 },
		{ limit: 1 },
	]);
	expect(hints.sort()).toEqual([
		"Showing 1 of 51. Turn on 'Return All' to get the rest.",
		"Showing 2 of 51. Turn on 'Return All' to get the rest.",
	]);
});

test('what a list of more than twenty pages costs stands in the log', async () => {
	const info = jest.spyOn(Container.get(Logger), 'info');
	await list(await withEvents(1_000), { returnAll: true });
	expect(info).not.toHaveBeenCalled();
	await list(await withEvents(1_001), { returnAll: true });
	expect(info.mock.calls).toEqual([
		[expect.stringMatching(/^Get many events: 21 requests, (?:\d+ refused \(429\), )?\d+ s$/)],
	]);
});

async function list(
	sandbox: TestSandbox,
	parameters: { returnAll?: boolean; limit?: number | string },
	items?: IDataObject[],
) {
	const before = (await sandbox.requests()).length;
	const outcome = await runWorkflow({
		node: new EventPlatform(),
		credential: tokenCredential(sandbox),
		parameters: { resource: 'event', operation: 'getAll', ...parameters },
		items,
	});
	if (outcome.error) throw outcome.error;
	const requests = (await sandbox.requests()).slice(before);
	return {
		ids: outcome.items.map(({ json }) => text(json.id)),
		pages: requests.map(({ query }) => Number(query['page[number]'])).sort((a, b) => a - b),
		hints: outcome.hints.map(({ message }) => message),
	};
}

function upTo(count: number): number[] {
	return Array.from({ length: count }, (_, index) => index);
}
