import { randomUUID } from 'node:crypto';
import { jsonApi } from '../mediaType';
import type { Platform } from '../platform';
import { type Handler, pathId } from '../records/handler';
import { Refusal } from '../refusal';
import { brokenRule, sessionToRegisterFor } from '../registration/handlers';
import type { OpenSession } from '../registration/register';
import { type Submission, readFields } from '../registration/submission';
import { jobAnswer } from '../world/jobAnswer';
import { findJob, jobRecord } from './jobRecord';
import type { Processing } from './processing';
import { listJobTasks } from './results';

interface JobDocument {
	data: { attributes: { tasks: Submission[] } };
}

export function jobHandlers(processing: Processing): Record<string, Handler> {
	const registerInBulk: Handler = (call) => {
		const session = sessionToRegisterFor(call);
		const { tasks } = (call.body as JobDocument).data.attributes;
		requireKnownFields(call.platform, session, tasks);
		const id = createJob(call.platform, session.id, tasks);
		const job = findJob(call.platform, id);
		processing.accepted(job);
		const record = jobRecord(job);
		const body = jobAnswer(call.platform.options, record);
		return { status: 202, body, contentType: jsonApi };
	};

	const getJob: Handler = (call) => {
		const job = jobRecord(findJob(call.platform, pathId(call, 'id')));
		return { status: 200, body: jobAnswer(call.platform.options, job) };
	};

	return { registerInBulk, getJob, listJobTasks };
}

/** With `unknownField: request`, one field that the form lacks refuses all tasks. */
function requireKnownFields(platform: Platform, { form }: OpenSession, tasks: Submission[]): void {
	if (platform.options.unknownField === 'task') return;
	const problems = tasks.flatMap((task) => readFields(form, task).problems);
	const unknown = problems.find(({ code }) => code === 'unknown_field');
	if (unknown) throw new Refusal(brokenRule(platform), unknown.message, unknown.code);
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
