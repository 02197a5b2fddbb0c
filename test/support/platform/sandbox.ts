import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import type { LoggedRequest } from '../../../sandbox/access/requestLog';
import type { Fault } from '../../../sandbox/faults/faults';
import type { SandboxOptions } from '../../../sandbox/options';
import { startSandbox, type Sandbox } from '../../../sandbox/server';
import type { Delivery } from '../../../sandbox/webhooks/deliveries';
import { eventually } from '../time/eventually';
import { upcomingSession } from './seededIds';

export interface Subscription {
	id: string;
	url: string;
	event: string;
}

/** A sandbox with two clients, and what tests ask of it. */
export interface TestSandbox extends Sandbox {
	/** A client on /v1 that has the API token and throws at no status. */
	api: AxiosInstance;
	/** A client on the root that has no token and throws at no status. */
	web: AxiosInstance;
	requests(): Promise<LoggedRequest[]>;
	/** Each once and at once, unless it says otherwise. */
	faults(faults: Array<Pick<Fault, 'match' | 'do'> & Partial<Fault>>): Promise<void>;
	/** Makes it another platform until it is reset. */
	changeWorld(traits: Partial<SandboxOptions>): Promise<void>;
	reset(): Promise<void>;
	state(): Promise<Record<string, unknown>>;
	/** Registers somebody as another client of the platform would. */
	register(email: string, answers?: Record<string, string>, session?: string): Promise<void>;
	subscriptions(): Promise<Subscription[]>;
	deliveries(): Promise<Delivery[]>;
	redeliver(id?: string): Promise<void>;
	/** Gives the id of the subscription. */
	subscribe(url: string, event: string): Promise<string>;
	/** Subscribes as a person does in the account, where the API has no endpoint for webhooks. */
	subscribeByHand(url: string, event: string): Promise<string>;
	/** Registers these people in bulk; gives the id of the job. */
	startJob(emails: readonly string[], session?: string): Promise<string>;
	/** Resolves with the last answer of GET /jobs/:id, which is no longer `processing`. */
	jobEnd(id: string): Promise<JobAnswer>;
}

export interface JobAnswer {
	type: string;
	id: string;
	attributes: {
		status: string;
		total_items: number;
		total_processed_items: number;
		total_fail: number;
		total_success: number;
	};
}

/** Flat, or in `data` where the sandbox is told to. */
type MaybeWrapped = JobAnswer | { data: JobAnswer };
const jobIn = (answer: MaybeWrapped) => ('data' in answer ? answer.data : answer);

const running = new Set<{ close(): Promise<void> }>();

/** A sandbox on a free port, unlimited unless told otherwise. It ends with the tests of the file. */
export async function sandboxForTests(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
	const sandbox = await startSandbox({
		port: 0,
		rate: 0,
		monthly: 0,
		taskMs: 1,
		webhookRetryFactor: 0.001,
		...options,
	});
	const common = { validateStatus: () => true, proxy: false as const };
	const web = axios.create({ baseURL: sandbox.baseUrl, ...common });
	const api = axios.create({
		baseURL: `${sandbox.baseUrl}/v1`,
		headers: { Authorization: sandbox.apiToken },
		...common,
	});
	const tested: TestSandbox = {
		...sandbox,
		api,
		web,
		requests: async () => ok(await web.get<LoggedRequest[]>('/_sandbox/requests')),
		faults: async (faults) => void ok(await web.post('/_sandbox/faults', faults)),
		changeWorld: async (traits) => void ok(await web.post('/_sandbox/world', traits)),
		reset: async () => void ok(await web.post('/_sandbox/reset', {})),
		state: async () => ok(await web.get<Record<string, unknown>>('/_sandbox/state')),
		register: async (email, answers, session = upcomingSession) =>
			void ok(await api.post(`/sessions/${session}/people`, personOf(email, answers))),
		async subscriptions() {
			interface Listed {
				id: string;
				attributes: { url: string; event: string };
			}
			const { data } = ok(await api.get<{ data: Listed[] }>('/webhooks'));
			return data.map(({ id, attributes: { url, event } }) => ({ id, url, event }));
		},
		deliveries: async () => ok(await web.get<Delivery[]>('/_sandbox/deliveries')),
		redeliver: async (id = '') =>
			void ok(await web.post(`/_sandbox/deliveries/${id}/redeliver`, {})),
		async subscribe(url, event) {
			const webhook = { data: { type: 'webhooks', attributes: { url, event } } };
			return ok(await api.post<{ data: { id: string } }>('/webhooks', webhook)).data.id;
		},
		async subscribeByHand(url, event) {
			const path = '/_sandbox/subscriptions';
			return ok(await web.post<{ data: { id: string } }>(path, { url, event })).data.id;
		},
		async startJob(emails, session = upcomingSession) {
			const path = `/sessions/${session}/people/bulk`;
			const headers = { 'Content-Type': 'application/vnd.api+json' };
			return jobIn(ok(await api.post<MaybeWrapped>(path, bulkOf(emails), { headers }))).id;
		},
		async jobEnd(id) {
			const read = async () => jobIn(ok(await api.get<MaybeWrapped>(`/jobs/${id}`)));
			await eventually(async () => (await read()).attributes.status !== 'processing');
			return read();
		},
		async close() {
			running.delete(tested);
			violations.push(...sandbox.platform.violations);
			await sandbox.close();
		},
	};
	running.add(tested);
	return tested;
}

/** One sandbox for all tests of a file. It is there once the tests begin. */
export function sandboxOfFile(options?: Partial<SandboxOptions>): TestSandbox {
	const sandbox = {} as TestSandbox;
	beforeAll(async () => void Object.assign(sandbox, await sandboxForTests(options)));
	return sandbox;
}

/** An answer that broke the contract is a bug of the sandbox, whatever the test was about. */
const violations: string[] = [];

afterAll(async () => {
	await Promise.all([...running].map((sandbox) => sandbox.close()));
	expect(violations).toEqual([]);
});

/** Addresses of so many people. */
export function guestAddresses(count: number, name = 'guest'): string[] {
	return Array.from({ length: count }, (_, at) => `${name}-${at}@example.org`);
}

/** The body of a request for bulk registration, one task per address. */
export function bulkOf(emails: readonly string[]) {
	return bulkOfTasks(emails.map((email) => ({ fields: [{ id: 'email', value: email }] })));
}

export function bulkOfTasks(tasks: unknown) {
	return { data: { type: 'jobs', attributes: { tasks } } };
}

/** The body of a request for a single registration. */
export function personOf(email: string, more: Record<string, string | string[]> = {}) {
	const fields = Object.entries({ email, ...more }).map(([id, value]) => ({ id, value }));
	return { data: { type: 'people', attributes: { fields } } };
}

function ok<T>({ status, data, config }: AxiosResponse<T>): T {
	if (status < 300) return data;
	throw new Error(`${config.method} ${config.url} was answered with ${status}`);
}
