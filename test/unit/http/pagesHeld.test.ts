import { listRecords } from '../../../nodes/EventPlatform/core/http/paginate';
import type { ApiRequest, JsonObject } from '../../../nodes/EventPlatform/core/http/ports';
import { collectGarbage } from '../../support/collectGarbage';

const pages = 40;
/** So many pages are under way at once. */
const underWay = 10;

/** Lists forty pages, and looks now and then how many records are still there as they were sent. */
async function mostHeld(onPage?: (body: unknown) => (record: JsonObject) => JsonObject) {
	const sent: Array<WeakRef<JsonObject>> = [];
	let most = 0;
	let asked = 0;
	async function ask({ query }: ApiRequest) {
		asked += 1;
		if (asked % underWay === 0) {
			await collectGarbage();
			most = Math.max(most, sent.filter((record) => record.deref()).length);
		}
		const number = Number(query?.['page[number]']);
		const data = Array.from({ length: 50 }, (_, index) => ({
			...{ id: `${number}-${index}`, type: 'people' },
			attributes: { email: `person-${number}-${index}@example.com` },
		}));
		sent.push(...data.map((record) => new WeakRef<JsonObject>(record)));
		const next = number + 1 < pages ? number + 1 : null;
		const meta = { current_page: number, next_page: next, page_count: pages };
		return { status: 200, headers: {}, body: { data, meta } };
	}
	const records = await listRecords(ask, '/people', { onPage });
	return { records, most };
}

test('a page is shaped when it is read, and nothing else of it is held', async () => {
	const { records, most } = await mostHeld(() => ({ id = '' }) => ({ id }));
	expect(records).toHaveLength(50 * pages);
	expect(records[51]).toEqual({ id: '1-1' });
	expect(most).toBeLessThanOrEqual(50 * underWay);
});
