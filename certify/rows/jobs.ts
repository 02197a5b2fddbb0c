import { attributesOf } from '../../nodes/EventPlatform/core/client/document';
import { howRegisteredIsTold } from '../../nodes/EventPlatform/core/dialect/alreadyRegistered';
import { isObject, type JsonObject } from '../../nodes/EventPlatform/core/values/json';
import { readError } from '../../nodes/EventPlatform/core/dialect/errors';
import { bulkTasks } from '../asks/writing';
import {
	responseTo,
	differs,
	holds,
	NotSeen,
	number,
	recordOf,
	recordsOf,
	successOf,
	judgeDifferences,
	judgeStatus,
	type Row,
} from '../row';
import { differences } from '../schema';
import type { Seen } from '../seen';
import { joined, kindOf, wordOf, words } from '../words';

const jobs = { section: '2.1', needs: 'write', reliesOn: ['jobs'] } as const;
const results = { section: '2.3', needs: 'write', reliesOn: ['results'] } as const;
const bulk = { section: '4.3', needs: 'write', reliesOn: ['submit'] } as const;

const expected = {
	total: bulkTasks.length,
	success: bulkTasks.filter((who) => who === 'new').length,
};

/** A bulk request with good and bad rows, its job, and the results of its tasks. */
export const jobRows: readonly Row[] = [
	{
		...jobs,
		id: 'job.flat',
		says: 'A job stands flat, without data around it',
		evidence: [['components', 'schemas', 'Job']],
		check(seen) {
			const { body } = successOf(seen, 'bulk');
			recordOf(successOf(seen, 'bulk'));
			const isWrapped = isObject(body) && isObject(body['data']);
			return isWrapped ? differs(words`flat`, words`in data`, { jobShape: 'wrapped' }) : holds;
		},
	},
	{
		...jobs,
		id: 'job.counters',
		says: 'The counters of a job have the names of the specification',
		evidence: [['components', 'schemas', 'JobAttributes']],
		check(seen) {
			const own = attributesOf(recordOf(successOf(seen, 'job')));
			if ('total_items' in own) {
				const deviations = differences('JobAttributes', own).filter(({ kind }) => kind !== 'word');
				return deviations.length === 0
					? holds
					: differs(words`five attributes`, joined(deviations.map(({ came }) => came)));
			}
			return 'total_tasks' in own
				? differs(words`total_items and its like`, words`total_tasks and its like`, {
						jobCounters: 'other',
					})
				: differs(words`total_items and its like`, words`neither these nor total_tasks`);
		},
	},
	{
		...jobs,
		id: 'job.new',
		says: 'A new job is processing, with nothing processed',
		check(seen) {
			const own = attributesOf(recordOf(successOf(seen, 'bulk')));
			const { processed } = countsOf(own);
			if (own['status'] !== 'processing')
				return differs(words`'processing'`, wordOf(own['status']));
			return processed === 0 ? holds : differs(words`0 processed`, words`${processed} processed`);
		},
	},
	{
		...jobs,
		section: '3.1',
		id: 'job.failed',
		says: 'A job of which a task failed ends as failed',
		evidence: [['components', 'schemas', 'JobStatus']],
		check(seen) {
			const { status } = attributesOf(recordOf(successOf(seen, 'job')));
			if (status === 'processing') throw new NotSeen(words`the job was not over in time`);
			if (status === 'failed') return holds;
			return differs(
				words`'failed'`,
				wordOf(status),
				status === 'completed' ? { jobStatus: 'completed' } : undefined,
			);
		},
	},
	{
		...jobs,
		id: 'job.counts',
		says: 'The counters of a job that is over add up',
		check(seen) {
			const own = attributesOf(recordOf(successOf(seen, 'job')));
			if (own['status'] === 'processing') throw new NotSeen(words`the job was not over in time`);
			const { total, processed, success, fail } = countsOf(own);
			const isRight = total === processed && success + fail === total && total === expected.total;
			return isRight
				? holds
				: differs(
						words`${expected.total} of ${expected.total}`,
						words`${processed} of ${total}, ${success} and ${fail}`,
					);
		},
	},
	{
		...results,
		id: 'results.count',
		says: 'There is one result for each task',
		check(seen) {
			const { length } = resultsOfEndedJob(seen);
			return length === expected.total
				? holds
				: differs(words`${expected.total} results`, words`${length} results`);
		},
	},
	{
		...results,
		id: 'results.good',
		says: 'A bad row does not sink the others',
		check(seen) {
			const good = resultsOfEndedJob(seen).filter(({ status }) => status === 'succeeded').length;
			return good === expected.success
				? holds
				: differs(words`${expected.success} succeeded`, words`${good} succeeded`);
		},
	},
	{
		...results,
		id: 'results.order',
		says: 'Results stand in the order in which the tasks were sent',
		check(seen) {
			const came = shapeOf(resultsOfEndedJob(seen));
			const again = shapeOf(recordsOf(successOf(seen, 'tasks again')));
			if (came !== again)
				return differs(words`the order sent`, words`another order at each read`, {
					resultsOrder: 'changing',
				});
			const sent = bulkTasks.map((who) => (who === 'new' ? '+' : '-')).join('');
			if (sent.length !== came.length || count(sent) !== count(came))
				throw new NotSeen(words`other tasks succeeded`);
			return came === sent
				? holds
				: differs(words`the order sent`, words`another order`, { resultsOrder: 'shuffled' });
		},
	},
	{
		...results,
		id: 'results.succeeded',
		says: 'The result of a task that succeeded has no errors and a record',
		evidence: [['components', 'schemas', 'TaskSucceeded']],
		check(seen) {
			const good = resultsOfEndedJob(seen).filter(({ status }) => status === 'succeeded');
			if (good.length === 0) throw new NotSeen(words`no task succeeded`);
			const bad = good.find(
				({ errors, data }) => !isObject(data) || !Array.isArray(errors) || errors.length > 0,
			);
			if (!bad) return holds;
			return differs(
				words`errors: empty, data: an object`,
				words`errors: ${kindOf(bad['errors'])}, data: ${kindOf(bad['data'])}`,
			);
		},
	},
	{
		...results,
		id: 'results.person',
		says: 'The record in a result is the person as the session has it',
		evidence: [['components', 'schemas', 'SessionPerson']],
		check(seen) {
			const people = resultsOfEndedJob(seen)
				.map(({ data }) => data)
				.filter(isObject);
			if (people.length === 0) throw new NotSeen(words`no result had a record`);
			return judgeDifferences(people.flatMap((person) => differences('SessionPerson', person)));
		},
	},
	{
		...results,
		id: 'results.failed',
		says: 'The result of a task that failed has errors with code and message, and no record',
		evidence: [
			['components', 'schemas', 'TaskFailed'],
			['components', 'schemas', 'TaskError'],
		],
		check: (seen) =>
			judgeDifferences(failedResults(seen).flatMap((result) => differences('TaskFailed', result))),
	},
	{
		...results,
		section: '7',
		id: 'results.already',
		says: 'Somebody who is registered already fails with the code already_registered',
		check(seen) {
			const wordings = failedResults(seen).map(({ errors }) =>
				howRegisteredIsTold(Array.isArray(errors) ? errors.map(readError) : []),
			);
			if (wordings.includes('byCode')) return holds;
			return wordings.includes('byWords')
				? differs(words`'already_registered'`, words`other words that say so`, {
						errorWords: 'other',
					})
				: differs(words`'already_registered'`, words`nothing that says so`);
		},
	},
	{
		...results,
		section: '4.2',
		id: 'results.paging',
		says: 'The results of a job come in pages',
		check(seen) {
			const { status } = responseTo(seen, 'page of tasks');
			if (status === 207 || status === 200) return holds;
			return differs(
				words`207`,
				words`${status}`,
				status >= 500 ? { tasksPaging: 'broken' } : undefined,
			);
		},
	},
	{
		...results,
		id: 'results.early',
		says: 'Before the end, the results of the tasks that are done are shown',
		check(seen) {
			const before = attributesOf(recordOf(successOf(seen, 'job at once')));
			const after = attributesOf(recordOf(successOf(seen, 'job after that')));
			if (after['status'] !== 'processing') throw new NotSeen(words`the job was over too soon`);
			const { status } = responseTo(seen, 'tasks at once');
			if (status === 404) return differs(words`207`, words`404`, { earlyResults: '404' });
			if (status >= 300) return differs(words`207`, words`${status}`);
			const { processed } = countsOf(before);
			if (processed === 0) throw new NotSeen(words`no task was done yet`);
			const count = recordsOf(successOf(seen, 'tasks at once')).length;
			return count > 0
				? holds
				: differs(words`${processed} results`, words`no result`, { earlyResults: 'empty' });
		},
	},
	{
		...bulk,
		id: 'bulk.unknown-field',
		says: 'A field that the form does not have makes its task fail, and not the request',
		check(seen) {
			const { status } = responseTo(seen, 'bulk with an unknown field');
			if (status === 202) return holds;
			return differs(
				words`202`,
				words`${status}`,
				status >= 400 && status < 500 ? { unknownField: 'request' } : undefined,
			);
		},
	},
	{
		...bulk,
		section: '8',
		id: 'bulk.most',
		says: 'A bulk request of more than 50 tasks is a 400',
		evidence: [['components', 'schemas', 'BulkRegistration']],
		check: (seen) => judgeStatus(seen, 'bulk of 51', 400),
	},
	{
		...bulk,
		id: 'bulk.none',
		says: 'A bulk request without a task is a 400',
		check: (seen) => judgeStatus(seen, 'bulk of none', 400),
	},
];

function resultsOfEndedJob(seen: Seen): JsonObject[] {
	const { status } = attributesOf(recordOf(successOf(seen, 'job')));
	if (status === 'processing') throw new NotSeen(words`the job was not over in time`);
	return recordsOf(successOf(seen, 'tasks'));
}

function failedResults(seen: Seen): JsonObject[] {
	const bad = resultsOfEndedJob(seen).filter(({ status }) => status === 'failed');
	if (bad.length === 0) throw new NotSeen(words`no task failed`);
	return bad;
}

/** Reads the counters of a job under either set of names. Another row judges the names. */
function countsOf(own: JsonObject) {
	const read = (name: string, alternative: string) => number(own, name in own ? name : alternative);
	return {
		total: read('total_items', 'total_tasks'),
		processed: read('total_processed_items', 'total_processed_tasks'),
		success: read('total_success', 'total_succeeded'),
		fail: read('total_fail', 'total_failed'),
	};
}

function shapeOf(list: readonly JsonObject[]): string {
	return list.map(({ status }) => (status === 'succeeded' ? '+' : '-')).join('');
}

function count(shape: string): number {
	return shape.split('+').length;
}
