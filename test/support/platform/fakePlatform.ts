import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
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
	const client: Client = { send: ask, usage: { requests: 0, responses: 0, perSecond: 5 } };
	return { client, ask, asked };
}

/** Gives the page of a list of all these records that the query asks for. */
export function pageOf(all: JsonObject[], query: ApiRequest['query'] = {}) {
	const size = Number(query['page[size]'] ?? 50);
	const current_page = Number(query['page[number]'] ?? 0);
	const data = all.slice(current_page * size, (current_page + 1) * size);
	return { data, meta: { current_page, page_count: Math.ceil(all.length / size) } };
}
