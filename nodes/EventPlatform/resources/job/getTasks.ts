import type { INodeProperties } from 'n8n-workflow';
import { readTaskResult } from '../../core/jobs/taskResult';
import { readTasks, taskRecord } from '../../core/jobs/tasks';
import type { Operation } from '../operation';
import { usualShape } from '../shape';
import { isObject } from '../../core/http/json';
import { options } from '../../parameters/collections';
import { aboutJob, jobId } from '../../parameters/jobId';
import { listFields } from '../../parameters/listFields';

const onlyFailed: INodeProperties = {
	displayName: 'Only Failed',
	name: 'onlyFailed',
	type: 'boolean',
	default: false,
	description: 'Whether to return only the people who were not registered',
};

/** What became of each person of a job. */
export const getTasks: Operation = {
	value: 'getTasks',
	name: 'Get Tasks',
	action: 'Get the result for each person of a bulk registration job',
	description: 'Retrieve the result for each person of a job: registered, or why not',
	fields: [jobId, ...listFields, options([onlyFailed])],
	overlapping: true,
	about: aboutJob,
	async run({ api, read, signal }) {
		const id = read.id('jobId');
		const limit = read.limit() ?? Infinity;
		const simplified = read.simplify();
		const wantsFailed = read.chosen('options').onlyFailed === true;
		// The failed ones may stand anywhere, so a limit is only known to be reached at the end.
		const tasks = await readTasks(api, id, { limit: wantsFailed ? Infinity : limit }, signal);
		return tasks
			.filter((task) => !wantsFailed || readTaskResult(task)?.succeeded === false)
			.slice(0, limit)
			.map((task) => {
				if (!simplified) return task;
				const record = taskRecord(task, id);
				const { person } = record;
				return { ...record, person: isObject(person) ? usualShape(person, read.zone) : null };
			});
	},
};
