/**
 * What a developer writes in an hour: one request after the other, repeated after 429, 5xx and lost connections. What it
 * hands on has the fields of this node's items. It runs by itself (`plainScript.ts`) and inside a node (`scriptNode.ts`).
 */

export interface Task {
	script: 'list' | 'register';
	pollSeconds?: number;
	sessionId: string;
}

export interface Request {
	method?: 'POST';
	path: string;
	query?: Record<string, number>;
	/** Of JSON:API's own type, as only bulk registration takes it. */
	body?: string;
}

/** Sends once. It throws when no answer came; `body` is the text as it came. */
export type Send = (
	request: Request,
) => Promise<{ status: number; headers: Record<string, unknown>; body: string }>;

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

interface TaskResult {
	status: 'succeeded' | 'failed';
	data?: Registrant;
	errors?: Array<{ code: string; title: string; detail: string }>;
}

interface Page<One> {
	data: One[];
	meta: { next_page: number | null };
}

const pause = (seconds: number) => new Promise((wake) => setTimeout(wake, seconds * 1_000));

export async function run(
	{ script, pollSeconds = 1, sessionId }: Task,
	emails: readonly string[],
	send: Send,
): Promise<object[]> {
	async function ask<Answer>(request: Request): Promise<Answer> {
		for (let attempt = 1; ; attempt++) {
			const answer = await send(request).catch(() => ({ status: 500, headers: {}, body: '' }));
			if (answer.status < 300) return JSON.parse(answer.body) as Answer;
			if (attempt === 5 || (answer.status !== 429 && answer.status < 500)) {
				throw new Error(`${request.path} was answered with ${answer.status}`);
			}
			const after = Number(new Map(Object.entries(answer.headers)).get('retry-after'));
			await pause(Number.isFinite(after) ? after : attempt);
		}
	}

	async function pages<One, Kept>(path: string, keep: (one: One) => Kept): Promise<Kept[]> {
		const all: Kept[] = [];
		let next: number | null = 0;
		while (next !== null) {
			const query: Record<string, number> = { 'page[number]': next, 'page[size]': 50 };
			const page: Page<One> = await ask({ path, query });
			all.push(...page.data.map(keep));
			next = page.meta.next_page;
		}
		return all;
	}

	async function register(): Promise<object[]> {
		const said: object[] = [];
		for (let from = 0; from < emails.length; from += 50) {
			const chunk = emails.slice(from, from + 50);
			const tasks = chunk.map((value) => ({ fields: [{ id: 'email', value }] }));
			const body = JSON.stringify({ data: { type: 'jobs', attributes: { tasks } } });
			const path = `/sessions/${sessionId}/people/bulk`;
			const job = await ask<Job>({ method: 'POST', path, body });
			let { status } = job.attributes;
			while (status === 'processing') {
				await pause(pollSeconds);
				status = (await ask<Job>({ path: `/jobs/${job.id}` })).attributes.status;
			}
			const results = await pages(`/jobs/${job.id}/tasks`, ({ data }: TaskResult) => data);
			const there = new Map(results.map((data) => [data?.attributes.email, data]));
			for (const email of chunk) said.push(outcome(email, job.id, there.get(email)));
		}
		return said;
	}

	/** The results of those who failed name nobody: it must have been the others. */
	function outcome(email: string, jobId: string, data?: Registrant): object {
		const status = data ? 'registered' : 'failed';
		const person = data ? registrant(data) : null;
		return {
			email,
			status,
			reason: null,
			session_id: sessionId,
			job_id: jobId,
			person,
			errors: [],
		};
	}

	return script === 'list' ? pages('/people', person) : register();
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
