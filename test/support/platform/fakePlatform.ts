import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { RefusedQueries } from '../../../nodes/EventPlatform/core/client/refusedQueries';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type {
	ApiResponse,
	Client,
	ApiRequest,
} from '../../../nodes/EventPlatform/core/client/request';

/** A body, the cause of a failure, or the failure itself. */
export type FakeAnswer = object | Cause | Error | undefined;

/** Gives the platform's response to its nth request. */
export type FakeAnswers = (request: ApiRequest, nth: number) => FakeAnswer | Promise<FakeAnswer>;

/** A platform that responds with this body and these headers, or fails for this cause. */
export function fakePlatform(answers: FakeAnswers, headers: ApiResponse['headers'] = {}) {
	const asked: ApiRequest[] = [];
	const ask = async (request: ApiRequest): Promise<ApiResponse> => {
		const body = await answers(request, asked.push(request));
		if (body instanceof Error) throw body;
		if (typeof body === 'string') throw new Failure(body, request);
		return { status: 200, headers, body };
	};
	const client: Client = {
		send: ask,
		usage: { requests: 0, responses: 0, month: {}, perSecond: 5 },
		refused: new RefusedQueries(Date),
	};
	return { client, ask, asked };
}

/** Gives the page of a list of all these that a query asks for, with all that the platform says of a page. `size`: where it is not the one asked for. */
export function pageOf<Item>(
	all: readonly Item[],
	query: ApiRequest['query'] | URLSearchParams = {},
	size?: number,
) {
	const asked = query instanceof URLSearchParams ? Object.fromEntries(query) : query;
	const current_page = Number(asked['page[number]'] ?? 0);
	const items_per_page = size ?? Number(asked['page[size]'] ?? 20);
	const page_count = Math.ceil(all.length / items_per_page);
	const first = current_page * items_per_page;
	const meta = {
		current_page,
		previous_page: current_page > 0 ? current_page - 1 : null,
		next_page: current_page + 1 < page_count ? current_page + 1 : null,
		record_count: all.length,
		page_count,
		items_per_page,
	};
	return { data: all.slice(first, first + items_per_page), meta };
}
