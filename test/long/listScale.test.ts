import '../support/time/fasterClock';
import { byId } from '../support/n8n/locators';
import { operate } from '../support/n8n/operation';
import { upcomingSession } from '../support/platform/seededIds';
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
	const platform = await platformWithTeam(100_000);
	const everybody = { sessionId: byId(upcomingSession), returnAll: true };
	const { error, records, hints } = await operate(platform, 'session.getPeople', everybody);
	expect(error).toBeUndefined();
	expect(new Set(records.map(({ id }) => id)).size).toBe(100_000);
	expect(platform.seen).toHaveLength(2_000);
	expect(hints).toEqual([expect.stringContaining('100,000 people')]);
});
