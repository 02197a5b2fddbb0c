import '../support/time/fasterClock';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { runWorkflow } from '../support/n8n/engine';
import { byId } from '../support/n8n/locators';
import { startPlatform } from '../support/n8n/startPlatform';

/** Serves a list of so many team members, in pages of fifty. */
async function platformWithTeam(count: number) {
	const pageCount = count / 50;
	return await startPlatform((response, { url }) => {
		const current_page = Number(new URL(url ?? '', 'http://x').searchParams.get('page[number]'));
		const data = Array.from({ length: 50 }, (_, index) => ({
			type: 'people',
			id: `p${current_page * 50 + index}`,
			attributes: { role: 'team_member', email: `p${current_page * 50 + index}@example.com` },
		}));
		const meta = {
			current_page,
			next_page: current_page + 1 < pageCount ? current_page + 1 : null,
			record_count: count,
			page_count: pageCount,
			items_per_page: 50,
		};
		response.writeHead(200, { 'RateLimit-Interval-Limit': '1000' });
		response.end(JSON.stringify({ data, meta }));
	});
}

test('100,000 people of a session arrive, each once, with one hint about all of them', async () => {
	const { credential, seen } = await platformWithTeam(100_000);
	const { error, items, hints } = await runWorkflow({
		node: new EventPlatform(),
		credential,
		parameters: {
			resource: 'session',
			operation: 'getPeople',
			sessionId: byId('11111111-2222-4333-8444-555555555555'),
			returnAll: true,
		},
	});
	expect(error).toBeUndefined();
	expect(new Set(items.map(({ json }) => json.id)).size).toBe(100_000);
	expect(seen).toHaveLength(2_000);
	expect(hints.map(({ message }) => message)).toEqual([expect.stringContaining('100,000 people')]);
});
