import { readTaskResult } from '../../core/jobs/task';
import { readTasks } from '../../core/jobs/tasks';
import { peopleOfJob, sayOnce, taskRecords } from '../../core/results/taskRecords';
import type { JsonObject } from '../../core/http/ports';
import type { Operation } from '../operation';
import { usualShape } from '../records';
import { options, switchField } from '../../parameters/field';
import { aboutJob, jobId } from '../../parameters/jobFields';
import { pageFields, simplifyField } from '../../parameters/recordFields';

const onlyFailed = switchField(
	'onlyFailed',
	true,
	'Whether to return only the people who were not registered',
);

export const getTasks: Operation = {
	value: 'getTasks',
	action: 'Get results of bulk registration job',
	description: 'Retrieve the result for each person of a job, with reasons',
	usesReserve: true,
	fields: [jobId, ...pageFields, simplifyField, options([onlyFailed])],
	overlapping: true,
	about: aboutJob,
	async run({ api, apiRoot, read, signal }) {
		const id = read.id('jobId');
		const limit = read.limit() ?? Infinity;
		const { zone } = read;
		const simplified = read.simplify();
		const wantsFailed = read.option('onlyFailed');
		const people = simplified ? peopleOfJob(apiRoot, id) : undefined;
		// The failed ones may stand anywhere, and only all of them together tell whose each is.
		const all = wantsFailed || people !== undefined;
		const tasks = await readTasks(api, id, { limit: all ? Infinity : limit }, signal);
		const shown = simplified
			? await taskRecords(tasks, { id, people, show: (fields) => usualShape(fields, zone) }, api)
			: tasks;
		const wanted = shown.filter((_, index) => !wantsFailed || isFailure(tasks[index]));
		return sayOnce(wanted.slice(0, limit));
	},
};

function isFailure(task: JsonObject = {}): boolean {
	return readTaskResult(task)?.status === 'failed';
}
