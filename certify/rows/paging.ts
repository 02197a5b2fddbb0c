import { differences } from '../schema';
import {
	responseTo,
	differs,
	holds,
	metaOf,
	number,
	NotSeen,
	recordsOf,
	successOf,
	judgeDifferences,
	judgeStatus,
	type Row,
	type Verdict,
} from '../row';
import type { Seen } from '../seen';
import { kindOf, words } from '../words';
import { isObject } from '../../nodes/EventPlatform/core/values/json';

const common = { section: '2.4', needs: 'read', reliesOn: ['paging'] } as const;
const sizeNode = ['components', 'parameters', 'PageSize'];
const numberNode = ['components', 'parameters', 'PageNumber'];
const metaNode = ['components', 'schemas', 'Pagination'];

const page = (seen: Seen, name = 'page') => metaOf(successOf(seen, name));

/** The first page is asked for without saying so; all others are counted from what it says. */
export const pagingRows: readonly Row[] = [
	{
		...common,
		id: 'paging.meta',
		says: 'meta has six numbers, of which previous_page and next_page may be null',
		evidence: [metaNode],
		check(seen) {
			const metas = seen
				.all()
				.flatMap(({ body }) => (isObject(body) && isObject(body['meta']) ? [body['meta']] : []));
			if (metas.length === 0) throw new NotSeen(words`no meta came`);
			return judgeDifferences(
				metas.flatMap((meta) =>
					differences(
						'Pagination',
						isObject(meta) ? { ...meta, items_per_page: inBounds(meta['items_per_page']) } : meta,
					),
				),
			);
		},
	},
	{
		...common,
		id: 'paging.first',
		says: 'Pages count from 0',
		evidence: [numberNode],
		check(seen) {
			const first = number(page(seen), 'current_page');
			return first === 0
				? holds
				: differs(words`the first page is 0`, words`the first page is ${first}`);
		},
	},
	{
		...common,
		id: 'paging.previous',
		says: 'The first page has no page before it',
		check(seen) {
			const { previous_page: before } = page(seen);
			if (before === undefined) throw new NotSeen(words`a row of its own is about that`);
			return before === null
				? holds
				: differs(words`previous_page: null`, words`previous_page: ${kindOf(before)}`);
		},
	},
	{
		...common,
		id: 'paging.next',
		says: 'next_page is the number of the next page, and null on the last one',
		check(seen) {
			const meta = page(seen);
			const last = number(meta, 'page_count') <= 1 ? meta : lastMeta(seen);
			if (last && typeof last['next_page'] === 'number')
				return differs(words`next_page of the last page: null`, kindOf(last['next_page']));
			if (number(meta, 'page_count') <= 1) return holds;
			const { next_page: next } = meta;
			if (typeof next !== 'number') return differs(words`the next page`, kindOf(next));
			const step = next - number(meta, 'current_page');
			return step === 1 ? holds : differs(words`one page on`, words`${step} pages on`);
		},
	},
	{
		...common,
		section: '4.2',
		id: 'paging.default',
		says: 'A page has 20 records when no size is asked for',
		evidence: [sizeNode],
		check(seen) {
			const size = number(page(seen), 'items_per_page');
			return size === 20 ? holds : differs(words`20 a page`, words`${size} a page`);
		},
	},
	{
		...common,
		section: '4.2',
		id: 'paging.size',
		says: 'A page has as many records as are asked for, up to 50',
		evidence: [sizeNode],
		check: (seen) => judgeSizes(seen, [20, 50], (asked) => asked),
	},
	{
		...common,
		section: '8',
		id: 'paging.larger',
		says: 'A size above 50 is lowered to that of the largest page',
		evidence: [sizeNode],
		check: (seen) =>
			judgeSizes(seen, [51, 100], () => number(page(seen, 'page of 50'), 'items_per_page')),
	},
	{
		...common,
		id: 'paging.filled',
		says: 'A page holds as many records as its meta says',
		check(seen) {
			const meta = page(seen);
			const promised = Math.min(number(meta, 'items_per_page'), number(meta, 'record_count'));
			const came = recordsOf(successOf(seen, 'page')).length;
			return came === promised
				? holds
				: differs(words`${promised} records`, words`${came} records`);
		},
	},
	{
		...common,
		id: 'paging.count',
		says: 'page_count is what record_count and items_per_page make',
		check(seen) {
			const meta = page(seen);
			const promised = Math.ceil(number(meta, 'record_count') / number(meta, 'items_per_page'));
			const came = number(meta, 'page_count');
			return came === promised ? holds : differs(words`${promised} pages`, words`${came} pages`);
		},
	},
	{
		...common,
		id: 'paging.second',
		says: 'The second page has other records than the first',
		check(seen) {
			const ids = (name: string) => recordsOf(successOf(seen, name)).map(({ id }) => id);
			const first = new Set(ids('page'));
			const twice = ids('second page').filter((id) => first.has(id)).length;
			return twice === 0 ? holds : differs(words`no record twice`, words`${twice} records twice`);
		},
	},
	{
		...common,
		section: '4.2',
		id: 'paging.beyond',
		says: 'A page that does not exist is a 400',
		evidence: [numberNode],
		check: (seen) => judgeStatus(seen, 'page beyond the last', 400),
	},
];

function lastMeta(seen: Seen) {
	return seen.get('last page') ? page(seen, 'last page') : undefined;
}

function judgeSizes(
	seen: Seen,
	sizes: readonly number[],
	promisedFor: (asked: number) => number,
): Verdict {
	for (const asked of sizes) {
		const promised = words`${asked} asked, ${promisedFor(asked)} sent`;
		const { status } = responseTo(seen, `page of ${asked}`);
		if (status === 400 || status === 422) {
			return differs(promised, words`${asked} asked, refused with ${status}`);
		}
		const size = number(page(seen, `page of ${asked}`), 'items_per_page');
		const came = recordsOf(successOf(seen, `page of ${asked}`)).length;
		if (size === promisedFor(asked) && came <= size) continue;
		return differs(promised, words`${asked} asked, ${Math.max(size, came)} sent`);
	}
	return holds;
}

/** How large a page may be is the matter of other rows. */
function inBounds(size: unknown): unknown {
	return typeof size === 'number' && size > 50 ? 50 : size;
}
