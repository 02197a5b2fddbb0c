import type { AxiosError } from 'axios';
import type { ApiRecord } from '../../sandbox/platform';
import type { TestSandbox } from '../support/sandbox';

export interface List {
	data: ApiRecord[];
	included?: ApiRecord[];
	meta: { record_count: number; page_count: number; next_page: number | null };
}

export type Parameters = Record<string, string | number>;

export async function readList(
	{ api }: TestSandbox,
	path: string,
	params: Parameters = {},
): Promise<List> {
	const { status, data } = await api.get<List>(path, { params });
	expect(status).toBe(200);
	return data;
}

/** The statuses of requests sent one after the other; a lost connection gives its code. */
export async function statuses(
	{ api }: TestSandbox,
	count: number,
	path = '/ping',
	method = 'GET',
): Promise<Array<number | string>> {
	const seen: Array<number | string> = [];
	for (let index = 0; index < count; index++) {
		const answer = await api
			.request({ url: path, method })
			.catch((error: AxiosError) => error.code ?? error.message);
		seen.push(typeof answer === 'string' ? answer : answer.status);
	}
	return seen;
}
