import type { Platform } from '../platform';
import { type Handler, pathId } from '../records/handler';
import { pageOf, readPage } from '../records/page';
import { notFound, type Problem, Refusal } from '../refusal';
import type { Row } from '../store/store';
import { createDraws, shuffled } from '../world/draws';
import { inWords } from '../world/errorWords';
import { mostTasks } from './bulkHint';
import { findJob } from './jobRecord';
import { dueTasks } from './processing';

/** GET /jobs/:id/tasks. */
export const listJobTasks: Handler = (call) => {
	const { options } = call.platform;
	const id = pathId(call, 'id');
	const unpaged = options.tasksPaging === 'broken';
	if (unpaged && asksForPage(call.query)) {
		throw new Refusal(500, 'Something went wrong while reading the page of tasks.');
	}
	const job = findJob(call.platform, id);
	// Where pages cannot be asked for, one answer holds them all.
	const page = unpaged ? { number: 0, size: mostTasks, mayBeEmpty: true } : readPage(call);
	const early = job['status'] === 'processing' ? options.earlyResults : 'partial';
	if (early === '404') throw notFound('result yet for the job', id);
	const tasks = early === 'empty' ? [] : shownTasks(call.platform, job);
	const { rows, meta } = pageOf(tasks, page);
	const data = rows.map((row) => taskResult(call.platform, row));
	return { status: 207, body: { data, meta } };
};

function asksForPage(query: Readonly<Record<string, unknown>>): boolean {
	return query['page[number]'] !== undefined || query['page[size]'] !== undefined;
}

/** The finished tasks that may be seen by now, in the order of this platform. */
function shownTasks({ store, options, now, draw }: Platform, job: Row): Row[] {
	const id = String(job['id']);
	const due = dueTasks(job, now() - options.resultsLagMs);
	const rows = store.all(
		"SELECT * FROM tasks WHERE job_id = ? AND status <> 'waiting' AND position < ? ORDER BY position",
		id,
		due,
	);
	if (options.resultsOrder === 'sent') return rows;
	// A platform that shuffles them shows the same order at each read.
	return shuffled(rows, options.resultsOrder === 'shuffled' ? createDraws(rows.length) : draw);
}

/** Section 2.3. */
function taskResult({ options }: Platform, row: Row): Record<string, unknown> {
	const problems = JSON.parse(String(row['errors'])) as Problem[];
	return {
		status: row['status'],
		errors: inWords(options, problems, Number(row['position'])),
		...(row['person'] !== null && { data: JSON.parse(String(row['person'])) as unknown }),
	};
}
