import { randomUUID } from 'node:crypto';
import { jsonApi } from '../mediaType';
import type { ApiRecord, Platform } from '../platform';
import { type Handler, pathId } from '../records/handler';
import { pageMeta, readPage, readRows } from '../records/page';
import { Refusal, notFound } from '../refusal';
import { sessionToRegisterFor } from '../registration/handlers';
import type { Submission } from '../registration/submission';
import { mostTasks } from './bulkHint';
import { findJob, jobRecord, taskResult } from './jobRecord';
import type { Processing } from './processing';

interface JobDocument {
	data: { attributes: { tasks: Submission[] } };
}

export function jobHandlers(processing: Processing): Record<string, Handler> {
	const registerInBulk: Handler = (call) => {
		const session = sessionToRegisterFor(call);
		const { tasks } = (call.body as JobDocument).data.attributes;
		const id = createJob(call.platform, session.id, tasks);
		const job = findJob(call.platform, id);
		processing.accepted(job);
		return { status: 202, body: shaped(call.platform, jobRecord(job)), contentType: jsonApi };
	};

	const getJob: Handler = (call) => {
		const job = jobRecord(findJob(call.platform, pathId(call, 'id')));
		return { status: 200, body: shaped(call.platform, job) };
	};

	return { registerInBulk, getJob, listJobTasks };
}

const listJobTasks: Handler = (call) => {
	const { options, store } = call.platform;
	const id = pathId(call, 'id');
	const unpaged = options.tasksPaging === 'broken';
	if (unpaged && asksForPage(call.query)) {
		throw new Refusal(500, 'Something went wrong while reading the page of tasks.');
	}
	const { status } = findJob(call.platform, id);
	// Where pages cannot be asked for, one answer holds them all.
	const page = unpaged ? { number: 0, size: mostTasks } : readPage(call.query);
	const early = status === 'processing' ? options.earlyResults : 'partial';
	if (early === '404') throw notFound('result yet for the job', id);
	if (early === 'empty') return { status: 207, body: { data: [], meta: pageMeta(page, 0) } };
	const from = 'FROM tasks t';
	const { rows, meta } = readRows(
		store,
		{
			select: `SELECT t.* ${from}`,
			from,
			where: ['t.job_id = ?', "t.status <> 'waiting'"],
			values: [id],
			order: 't.position',
		},
		page,
	);
	return { status: 207, body: { data: rows.map(taskResult), meta } };
};

function asksForPage(query: Readonly<Record<string, unknown>>): boolean {
	return query['page[number]'] !== undefined || query['page[size]'] !== undefined;
}

function shaped({ options }: Platform, job: ApiRecord): unknown {
	return options.jobShape === 'wrapped' ? { data: job } : job;
}

function createJob(platform: Platform, sessionId: string, tasks: readonly Submission[]): string {
	const { store, options } = platform;
	const id = randomUUID();
	const now = platform.now();
	store.transaction(() => {
		store.insert('jobs', {
			id,
			session_id: sessionId,
			status: 'processing',
			total_items: tasks.length,
			total_processed_items: 0,
			total_fail: 0,
			total_success: 0,
			first_task_at_ms: now + options.jobMs,
			task_ms: options.taskMs,
			created_at_ms: now,
			ended_at_ms: 0,
		});
		for (const [position, task] of tasks.entries()) {
			const row = { job_id: id, position, task: JSON.stringify(task) };
			store.insert('tasks', { ...row, status: 'waiting', errors: '[]', person: null });
		}
	});
	return id;
}
