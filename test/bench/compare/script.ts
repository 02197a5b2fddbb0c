import { readFileSync, writeFileSync } from 'node:fs';
import axios, { type AxiosRequestConfig } from 'axios';
import { costOf } from '../cost';
import type { Script } from './contenders';
import type { TaskInput } from './measure';

/**
 * A program that a developer writes in an hour. It sends one request after the other, and repeats them after 429, 5xx and
 * lost connections. Its output has the fields of this node's items.
 */
const [, , taskFile = '', resultFile = ''] = process.argv;
const task = JSON.parse(readFileSync(taskFile, 'utf8')) as Script & TaskInput;
const { baseUrl, apiToken, sessionId } = task.access;
const api = axios.create({
	baseURL: `${baseUrl}/v1`,
	headers: { Authorization: apiToken },
	validateStatus: () => true,
});

interface Job {
	id: string;
	attributes: { status: string };
}

interface Person {
	id: string;
	type: string;
	attributes: Record<string, unknown> & { email: string; created_at: number };
}

interface Registrant extends Person {
	attributes: Person['attributes'] & {
		registrant_detail: Record<string, unknown> & { fields: Array<{ id: string; value: unknown }> };
	};
}

interface Page<Listed> {
	data: Listed[];
	meta: { next_page: number | null };
}

const pause = (seconds: number) => new Promise((wake) => setTimeout(wake, seconds * 1_000));

async function ask<Answer>(request: AxiosRequestConfig): Promise<Answer> {
	for (let attempt = 1; ; attempt++) {
		const lost = { status: 500, headers: {}, data: undefined };
		const { status, headers, data } = await api.request<Answer>(request).catch(() => lost);
		if (status < 300) return data as Answer;
		if (attempt === 5 || (status !== 429 && status < 500)) {
			throw new Error(`${request.url} was answered with ${status}`);
		}
		const after = Number(new Map<string, unknown>(Object.entries(headers)).get('retry-after'));
		await pause(Number.isFinite(after) ? after : attempt);
	}
}

async function pages<Listed, Kept>(url: string, keep: (record: Listed) => Kept): Promise<Kept[]> {
	const all: Kept[] = [];
	let next: number | null = 0;
	while (next !== null) {
		const params: object = { 'page[number]': next, 'page[size]': 50 };
		const page: Page<Listed> = await ask({ url, params });
		all.push(...page.data.map(keep));
		next = page.meta.next_page;
	}
	return all;
}

async function register(emails: readonly string[]): Promise<object[]> {
	const said: object[] = [];
	for (let from = 0; from < emails.length; from += 50) {
		const chunk = emails.slice(from, from + 50);
		const tasks = chunk.map((value) => ({ fields: [{ id: 'email', value }] }));
		const job = await ask<Job>({
			method: 'POST',
			url: `/sessions/${sessionId}/people/bulk`,
			headers: { 'Content-Type': 'application/vnd.api+json' },
			data: { data: { type: 'jobs', attributes: { tasks } } },
		});
		let { status } = job.attributes;
		while (status === 'processing') {
			await pause(task.pollSeconds ?? 1);
			status = (await ask<Job>({ url: `/jobs/${job.id}` })).attributes.status;
		}
		const results = await pages(
			`/jobs/${job.id}/tasks`,
			(result: { data?: Registrant }) => result.data,
		);
		const there = new Map(results.map((data) => [data?.attributes.email, data]));
		for (const email of chunk) said.push(outcome(email, job.id, there.get(email)));
	}
	return said;
}

/** The results of those who failed name nobody: it must have been the others. */
function outcome(email: string, job_id: string, data?: Registrant): object {
	const person = data ? registrant(data) : null;
	const status = data ? 'registered' : 'failed';
	return { email, status, reason: null, session_id: sessionId, job_id, person, errors: [] };
}

function person({ id, type, attributes }: Person) {
	const { email, first_name, last_name, role, timezone, created_at } = attributes;
	const createdAt = new Date(created_at * 1_000).toISOString();
	return { id, type, email, first_name, last_name, role, timezone, created_at: createdAt };
}

function registrant({ id, type, attributes }: Registrant) {
	const { email, first_name, last_name, role, registrant_detail: detail } = attributes;
	const { session_id, attended, attendance_rate } = detail;
	const fields = Object.fromEntries(detail.fields.map((field) => [field.id, field.value]));
	const about = { role, session_id, attended, attendance_rate, fields };
	return { id, type, email, first_name, last_name, ...about };
}

const emails = task.items.flatMap(({ email = [] }) => email);
void costOf(() => (task.script === 'list' ? pages('/people', person) : register(emails))).then(
	({ result, cost }) => writeFileSync(resultFile, JSON.stringify({ cost, output: result })),
);
