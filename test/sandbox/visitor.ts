import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import type { SandboxOptions } from '../../sandbox/options';
import { operationIdOf, responseProblems } from '../support/contract';
import { bulkOfTasks, sandboxForTests, type TestSandbox } from '../support/sandbox';

export interface ApiRecord {
	type: string;
	id: string;
	attributes: Record<string, unknown>;
	relationships?: Record<string, { data: unknown }>;
}
export interface One {
	data: ApiRecord;
	included?: ApiRecord[];
}
export interface Meta {
	current_page: number;
	previous_page: number | null;
	next_page: number | null;
	record_count: number;
	page_count: number;
	items_per_page: number;
}
export interface Page<Item = ApiRecord> {
	data: Item[];
	meta: Meta;
	included?: ApiRecord[];
}
export interface TaskResult {
	status: 'succeeded' | 'failed';
	errors: Array<{ code: string; message: string }>;
	data?: ApiRecord;
}
export interface Refused {
	errors: Array<{ title: string; detail: string; code: string; status: string }>;
}

/** A client that knows nothing of the connector, talking to a sandbox of its own over HTTP. */
export interface Visitor {
	baseUrl: string;
	sandbox: TestSandbox;
	/** With the API token. */
	api: AxiosInstance;
	/** With another Authorization header, or with none. */
	as(authorization?: string): AxiosInstance;
	/** The header of a fresh access token. */
	bearer(scope?: string, ttlSeconds?: number): Promise<string>;
	control(path: string, body?: object): Promise<AxiosResponse<unknown>>;
	/** The id of a session that one can register for. */
	sessionId(): Promise<string>;
}

const open: Array<() => Promise<unknown>> = [];
afterAll(async () => {
	await Promise.all(open.splice(0).map((close) => close()));
});

export function closeAfterwards(close: () => Promise<unknown>): void {
	open.push(close);
}

export async function openSandbox(options: Partial<SandboxOptions> = {}): Promise<Visitor> {
	const sandbox = await sandboxForTests(options);
	// Answers of its own that the sandbox found to break the contract.
	closeAfterwards(() => Promise.resolve(expect(sandbox.platform.violations).toEqual([])));
	const { baseUrl, apiToken } = sandbox;
	const as = (authorization?: string) => client(baseUrl, authorization);
	const api = as(apiToken);
	const control = (path: string, body: object = {}) => api.post<unknown>(`/_sandbox/${path}`, body);
	return {
		baseUrl,
		sandbox,
		api,
		as,
		control,
		async bearer(scope, ttl) {
			const { data } = await control('oauth/issue', { scope, ttl });
			return `Bearer ${(data as { access_token: string }).access_token}`;
		},
		async sessionId() {
			const event = await api.post<One>('/v1/events', {
				data: { type: 'events', attributes: { title: 'Open house', status: 'published' } },
			});
			const session = await api.post<One>(`/v1/events/${event.data.data.id}/sessions`, {
				data: { type: 'sessions', attributes: { estimated_started_at: '2030-01-01 10:00:00' } },
			});
			return session.data.data.id;
		},
	};
}

/** Never throws for a status, always throws for an answer that breaks the contract. */
function client(baseURL: string, authorization?: string): AxiosInstance {
	const headers = authorization === undefined ? {} : { Authorization: authorization };
	const instance = axios.create({
		baseURL,
		headers,
		validateStatus: null,
		maxRedirects: 0,
		proxy: false,
	});
	instance.interceptors.response.use((answer) => {
		const { method = 'get', url = '/' } = answer.config;
		const operation = operationIdOf(method, new URL(url, baseURL).pathname);
		if (operation && url.startsWith('/v1')) {
			const problems = responseProblems(operation, answer.status, answer.data);
			if (problems.length > 0) throw new Error(problems.join('\n'));
		}
		return answer;
	});
	return instance;
}

export const jsonApi = { headers: { 'Content-Type': 'application/vnd.api+json' } };

export type Fields = Record<string, unknown>;

export function fieldsOf(values: Fields) {
	return Object.entries(values).map(([id, value]) => ({ id, value }));
}

export function registration(values: Fields, more: object = {}) {
	return { data: { type: 'people', attributes: { fields: fieldsOf(values), ...more } } };
}

export function bulk(people: Fields[]) {
	return bulkOfTasks(people.map((values) => ({ fields: fieldsOf(values) })));
}

export function crowd(count: number, name = 'guest'): Fields[] {
	return Array.from({ length: count }, (_, at) => ({ email: `${name}-${at}@example.org` }));
}

/** Starts a job and gives it as it was when it was accepted. */
export async function startJob(api: AxiosInstance, sessionId: string, people: Fields[]) {
	const { data } = await api.post<ApiRecord>(
		`/v1/sessions/${sessionId}/people/bulk`,
		bulk(people),
		jsonApi,
	);
	return data;
}

/** Asks for the job until it is over; jest ends a wait that has no end. */
export async function untilOver(api: AxiosInstance, jobId: string): Promise<ApiRecord[]> {
	const seen: ApiRecord[] = [];
	for (;;) {
		const { data } = await api.get<ApiRecord>(`/v1/jobs/${jobId}`);
		seen.push(data);
		if (data.attributes['status'] !== 'processing') return seen;
		await pause(5);
	}
}

export async function finishedJob(api: AxiosInstance, sessionId: string, people: Fields[]) {
	const { id } = await startJob(api, sessionId, people);
	const seen = await untilOver(api, id);
	return seen[seen.length - 1] as ApiRecord;
}

export function pause(ms: number): Promise<void> {
	return new Promise((done) => setTimeout(done, ms));
}

export function detailOf({ data }: AxiosResponse): string {
	return (data as Refused).errors[0]?.detail ?? '';
}
