import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import axios from 'axios';
import { type SandboxProcess, startSandboxProcess } from './sandboxProcess';

interface Records {
	data: Array<{ id: string; attributes: Record<string, unknown> }>;
	meta: { page_count: number };
}

interface Drawn {
	method: 'GET' | 'POST';
	path: string;
	body?: string;
}

const goalMedianMs = 10;
const overallRate = 500;
const connections = 10;

/** 500 requests per second on a full store, of the kinds that a busy connector sends. */
export async function run(words: string[]): Promise<void> {
	const { values } = parseArgs({
		args: words,
		options: {
			seconds: { type: 'string', default: '20' },
			people: { type: 'string', default: '100000' },
		},
	});
	const sandbox = await startSandboxProcess(
		['--rate', '0', '--monthly', '0', '--seed-people', values.people].concat(['--task-ms', '1']),
	);
	try {
		const kinds = await findKinds(sandbox);
		const load = (draw: () => Drawn, seconds: number) => drive(sandbox, draw, seconds);
		await load(mix(kinds), 2); // warms up
		const result = await load(mix(kinds), Number(values.seconds));
		console.log(`${values.people} registrants in the store, ${connections} connections`);
		console.table({
			'asked for': { value: overallRate, unit: 'requests/s' },
			reached: { value: round(result.requests.total / result.duration), unit: 'requests/s' },
			median: { value: result.latency.p50, unit: 'ms' },
			p99: { value: result.latency.p99, unit: 'ms' },
			slowest: { value: result.latency.max, unit: 'ms' },
			'other than 2xx': { value: result.non2xx, unit: 'requests' },
			'without answer': { value: result.errors, unit: 'requests' },
		});
		const met = result.latency.p50 < goalMedianMs ? 'met' : 'NOT met';
		console.log(`Goal: median under ${goalMedianMs} ms: ${met}.`);
	} finally {
		await sandbox.stop();
	}
}

/** Each kind draws a request of its own; the ids are those of the seeded store. */
async function findKinds(sandbox: SandboxProcess): Promise<Record<string, () => Drawn>> {
	const api = client(sandbox);
	const events = (await api.get<Records>('/v1/events', { params: { 'page[size]': 50 } })).data;
	const sessions = (await api.get<Records>('/v1/sessions', { params: { 'page[size]': 50 } })).data;
	const fullest = sessions.data.reduce((one, other) =>
		Number(other.attributes['registrants_count']) > Number(one.attributes['registrants_count'])
			? other
			: one,
	);
	const people = `/v1/sessions/${fullest.id}/people`;
	const first = (await api.get<Records>(people, { params: { 'page[size]': 50 } })).data;
	const job = await api.post<{ id: string }>(`${people}/bulk`, {
		data: { type: 'jobs', attributes: { tasks: [{ fields: emailField(newEmail()) }] } },
	});
	const any = <Item>(from: readonly Item[]): Item =>
		from[Math.floor(Math.random() * from.length)] as Item;
	const get = (path: string): Drawn => ({ method: 'GET', path });
	return {
		'list events': () => get('/v1/events'),
		'get event': () => get(`/v1/events/${any(events.data).id}`),
		'page of session people': () =>
			get(
				`${people}?page[number]=${Math.floor(Math.random() * first.meta.page_count)}&page[size]=50`,
			),
		'get job': () => get(`/v1/jobs/${job.data.id}`),
		'people by email': () =>
			get(
				`/v1/people?filter[email]=${encodeURIComponent(String(any(first.data).attributes['email']))}`,
			),
		register: () => ({
			method: 'POST',
			path: people,
			body: JSON.stringify({
				data: { type: 'people', attributes: { fields: emailField(newEmail()) } },
			}),
		}),
	};
}

function mix(kinds: Record<string, () => Drawn>): () => Drawn {
	const draws = Object.values(kinds);
	let turn = 0;
	return () => (draws[turn++ % draws.length] as () => Drawn)();
}

function drive({ baseUrl, apiToken }: SandboxProcess, draw: () => Drawn, duration: number) {
	// autocannon writes into the headers: each request needs its own.
	const setupRequest = (request: object) => ({
		...request,
		headers: { authorization: apiToken, 'content-type': 'application/json' },
		body: undefined,
		...draw(),
	});
	return autocannon({
		url: baseUrl,
		connections,
		overallRate,
		duration,
		requests: [{ setupRequest }],
	});
}

function client({ baseUrl, apiToken }: SandboxProcess) {
	const headers = { authorization: apiToken, 'content-type': 'application/json' };
	return axios.create({ baseURL: baseUrl, headers });
}

let people = 0;
function newEmail(): string {
	people += 1;
	return `bench-${process.pid}-${people}@example.org`;
}

function emailField(value: string) {
	return [{ id: 'email', value }];
}

function round(value: number): number {
	return Math.round(value * 100) / 100;
}
