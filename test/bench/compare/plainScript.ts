import { readFileSync, writeFileSync } from 'node:fs';
import axios, { isAxiosError, type AxiosRequestConfig } from 'axios';
import { costOf } from './resources';

/**
 * What a developer writes in an hour: one request after the other, repeated after 429, 5xx and lost connections. A process
 * of its own, like the others.
 */

interface Task {
	script: 'list' | 'register';
	pollSeconds?: number;
	items: Array<{ email: string }>;
	access: { baseUrl: string; apiToken: string; sessionId: string };
}

interface Job {
	id: string;
	attributes: { status: string };
}

interface TaskResult {
	status: 'succeeded' | 'failed';
	data?: { attributes: { email: string } };
}

interface Page<One> {
	data: One[];
	meta: { next_page: number | null };
}

const pause = (seconds: number) => new Promise((wake) => setTimeout(wake, seconds * 1_000));

async function main([taskFile = '', resultFile = '']: string[]) {
	const {
		script,
		pollSeconds = 1,
		items,
		access,
	} = JSON.parse(readFileSync(taskFile, 'utf8')) as Task;
	const api = axios.create({
		baseURL: `${access.baseUrl}/v1`,
		headers: { Authorization: access.apiToken },
	});

	async function ask<Answer>(config: AxiosRequestConfig): Promise<Answer> {
		for (let attempt = 1; ; attempt++) {
			try {
				return (await api.request<Answer>(config)).data;
			} catch (error) {
				const status = isAxiosError(error) ? (error.response?.status ?? 500) : 0;
				if (attempt === 5 || (status !== 429 && status < 500)) throw error;
				const after = isAxiosError(error) ? Number(error.response?.headers['retry-after']) : NaN;
				await pause(Number.isFinite(after) ? after : attempt);
			}
		}
	}

	async function pages<One>(url: string): Promise<One[]> {
		const all: One[] = [];
		let next: number | null = 0;
		while (next !== null) {
			const params: Record<string, number> = { 'page[number]': next, 'page[size]': 50 };
			const page: Page<One> = await ask({ url, params });
			all.push(...page.data);
			next = page.meta.next_page;
		}
		return all;
	}

	async function register() {
		const said: Array<{ email: string; status: string; person?: object }> = [];
		for (let from = 0; from < items.length; from += 50) {
			const chunk = items.slice(from, from + 50);
			const tasks = chunk.map(({ email }) => ({ fields: [{ id: 'email', value: email }] }));
			const job = await ask<Job>({
				method: 'POST',
				url: `/sessions/${access.sessionId}/people/bulk`,
				headers: { 'Content-Type': 'application/vnd.api+json' },
				data: JSON.stringify({ data: { type: 'jobs', attributes: { tasks } } }),
			});
			let { status } = job.attributes;
			while (status === 'processing') {
				await pause(pollSeconds);
				status = (await ask<Job>({ url: `/jobs/${job.id}` })).attributes.status;
			}
			const results = await pages<TaskResult>(`/jobs/${job.id}/tasks`);
			const there = new Map(results.map(({ data }) => [data?.attributes.email, data]));
			// The results of those who failed name nobody: it must have been the others.
			for (const { email } of chunk) {
				const person = there.get(email);
				said.push({ email, status: person ? 'registered' : 'failed', person });
			}
		}
		return said;
	}

	const work = { list: () => pages('/people'), register };
	const { result, cost } = await costOf<unknown[]>(work[script]);
	writeFileSync(resultFile, JSON.stringify({ cost, output: result }));
}

void main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});
