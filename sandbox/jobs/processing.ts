import type { Platform } from '../platform';
import { type OpenSession, openSession, register } from '../registration/register';
import type { Problem } from '../refusal';
import type { Submission } from '../registration/submission';
import type { Row } from '../store/store';
import { findJob, jobRecord } from './jobRecord';

/** The shortest time between two ticks, and the most tasks of one tick. */
const shortestTickMs = 10;
const tasksPerTick = 500;
const pauseAfterFaultMs = 1_000;

/**
 * Works off the jobs in the store. What is due follows from their rows and the clock alone, so that
 * a restart goes on where a kill interrupted it.
 */
export class Processing {
	private nextTickAt = Number.POSITIVE_INFINITY;

	constructor(private readonly platform: Platform) {
		this.planNext();
	}

	/** A job came in. */
	accepted(job: Row): void {
		this.plan(nextTaskAt(job));
	}

	private planNext(): void {
		const next = this.unfinished().map(nextTaskAt);
		if (next.length > 0) this.plan(Math.min(...next));
	}

	private plan(next: number): void {
		const now = this.platform.now();
		const at = Math.max(next, now + shortestTickMs);
		if (at >= this.nextTickAt) return;
		this.nextTickAt = at;
		this.platform.later(at - now, () => {
			this.nextTickAt = Number.POSITIVE_INFINITY;
			try {
				this.tick();
			} catch (error) {
				// The transaction is undone; the next tick finds the same tasks due again.
				this.platform.violations.push(`a job could not be worked on: ${String(error)}`);
				this.platform.later(pauseAfterFaultMs, () => this.planNext());
				return;
			}
			this.planNext();
		});
	}

	private tick(): void {
		const { store } = this.platform;
		store.transaction(() => {
			let left = tasksPerTick;
			for (const job of this.unfinished()) {
				const due = dueTasks(job, this.platform.now());
				const upTo = Math.min(due, processed(job) + left);
				left -= upTo - processed(job);
				if (upTo > processed(job)) this.advance(job, upTo);
				if (left === 0) break;
			}
		});
	}

	private unfinished(): Row[] {
		const sql = "SELECT * FROM jobs WHERE status = 'processing' ORDER BY seq";
		return this.platform.store.all(sql);
	}

	private advance(job: Row, upTo: number): void {
		const { store } = this.platform;
		const id = String(job['id']);
		const session = openSession(this.platform, String(job['session_id']));
		const tasks = store.all(
			'SELECT position, task FROM tasks WHERE job_id = ? AND position >= ? AND position < ?',
			id,
			processed(job),
			upTo,
		);
		let failed = Number(job['total_fail']);
		for (const task of tasks) {
			const errors = this.work(session, id, task);
			if (errors.length > 0) failed++;
		}
		const over = upTo === Number(job['total_items']);
		store.update('jobs', id, {
			total_processed_items: upTo,
			total_fail: failed,
			total_success: upTo - failed,
			...(over && {
				status: failed > 0 ? 'failed' : 'ended', // 3.1
				ended_at_ms: this.platform.now(),
			}),
		});
		if (over) this.platform.announce('job.ended', jobRecord(findJob(this.platform, id)));
	}

	private work(session: OpenSession | Problem, jobId: string, task: Row): Problem[] {
		const submission = JSON.parse(String(task['task'])) as Submission;
		const outcome = 'code' in session ? [session] : register(this.platform, session, submission);
		const failed = Array.isArray(outcome);
		this.platform.store.write(
			'UPDATE tasks SET status = ?, errors = ?, person = ? WHERE job_id = ? AND position = ?',
			failed ? 'failed' : 'succeeded',
			JSON.stringify(failed ? outcome : []),
			failed ? null : JSON.stringify(outcome),
			jobId,
			task['position'] ?? 0,
		);
		return failed ? outcome : [];
	}
}

/** How many tasks have had their time: they are done one after the other, the first after a delay. */
export function dueTasks(job: Row, now: number): number {
	const [begun, taskMs] = [now - Number(job['first_task_at_ms']), Number(job['task_ms'])];
	const total = Number(job['total_items']);
	if (begun < 0) return 0;
	return taskMs === 0 ? total : Math.min(total, Math.floor(begun / taskMs));
}

function nextTaskAt(job: Row): number {
	return Number(job['first_task_at_ms']) + (processed(job) + 1) * Number(job['task_ms']);
}

function processed(job: Row): number {
	return Number(job['total_processed_items']);
}
