import { readRecord } from '../core/client/document';
import { text } from '../core/values/text';
import { expectJob, jobRecord } from '../core/jobs/jobState';
import { waitForJob } from '../core/jobs/waitForJob';
import { readTaskResult } from '../core/jobs/taskResult';
import { TaskReader } from '../core/jobs/taskReader';
import { readPeopleOfJob, sayOnce } from '../core/jobs/taskRecords';
import { choiceField, neededText, options, switchField } from '../fields/field';
import type { ItemParameters } from '../fields/itemParameters';
import { maxWaitField, pageFields, simplifyField } from '../fields/recordFields';
import { isTool, limitFor, withTotal } from './toolLists';
import type { Operation, Resource } from './operation';
import { shape } from './records';

const jobId = neededText(
	'jobId',
	"ID of the job, from the field 'job_id' of a bulk registration",
	'0c9a3b52-6f0e-4a7d-8b1c-2d3e4f5a6b7c',
);

/** Every failure names the job, because it goes on without the workflow. */
const ofJob = {
	usesReserve: true,
	overlapping: true,
	about: (parameters: ItemParameters) => ({ jobId: parameters.id('jobId') }),
};

const get: Operation = {
	action: 'Get progress of bulk registration job',
	description: 'Retrieve the status of a job and how many of its tasks are done',
	...ofJob,
	fields: [jobId, simplifyField],
	async run({ api, parameters }) {
		const request = { method: 'GET', path: parameters.path('/jobs/{jobId}') } as const;
		const simplify = parameters.simplify();
		const answer = await api(request);
		return simplify ? jobRecord(expectJob(request, answer)) : readRecord(request, answer);
	},
};

/** A job has one task at least. */
const noResultsYet =
	"The platform does not show results of the job yet. Put 'Wait' before 'Get Tasks', or run this again later.";

const getTasks: Operation = {
	action: 'Get results of bulk registration job',
	description: 'Retrieve the result for each person of a job, with reasons',
	...ofJob,
	fields: [
		jobId,
		...pageFields,
		simplifyField,
		options([
			switchField('onlyFailed', true, 'Whether to return only the people who were not registered'),
		]),
	],
	async run({ api, apiRoot, n8n, parameters, signal, notes }) {
		const id = parameters.id('jobId');
		const limit = limitFor(n8n, parameters.limit());
		const { zone } = parameters;
		const simplified = parameters.simplify();
		const wantsFailed = parameters.option('onlyFailed');
		// The failed ones may stand anywhere, and an agent is told how many results there are.
		const most = wantsFailed || isTool(n8n) ? undefined : limit;
		const source = { api, apiRoot, signal, limit: most };
		const shown = simplified
			? await readPeopleOfJob(source, { id, show: (fields) => shape(fields, zone) })
			: (await new TaskReader().readSoFar(api, id, { limit: most, signal })).map((task) => {
					return { task, record: task };
				});
		if (shown.length === 0) notes.hint(noResultsYet);
		const wanted = shown.filter(
			({ task }) => !wantsFailed || readTaskResult(task)?.status === 'failed',
		);
		const records = sayOnce(wanted.slice(0, limit).map(({ record }) => record));
		return isTool(n8n) ? withTotal(records, wanted.length) : records;
	},
};

const onTimeout = choiceField(
	'onTimeout',
	{
		fail: 'Fail and name the job ID',
		return: [
			'Return the Job as It Is',
			"Return the job as last seen, with 'timed_out' set to true",
		],
	},
	'return',
	'What to do if the job does not end in time',
);

const wait: Operation = {
	action: 'Wait for bulk registration job to end',
	description: 'Wait until a job has ended or failed, then return its counts',
	...ofJob,
	fields: [jobId, options([maxWaitField('Max time to wait for the job'), onTimeout])],
	async run(item) {
		const { parameters } = item;
		const id = parameters.id('jobId');
		const chosen = parameters.chosen('options');
		const seconds = parameters.maxWaitSeconds();
		const last = await waitForJob(id, seconds, item);
		const seen = last ? jobRecord(last) : { id, status: 'unknown' };
		const isLate = !last?.isFinal;
		if (isLate && chosen.onTimeout === 'fail') {
			throw parameters.refusal(
				`Job ${id} was not done after ${seconds} seconds`,
				`It was last seen with the status '${text(seen.status)}' and goes on without this workflow. ` +
					"Get it later by its ID, or allow more time in 'Max Wait'.",
			);
		}
		return { ...seen, timed_out: isLate };
	},
};

export const job: Resource = {
	description: 'A bulk registration that runs on the platform',
	initial: 'get',
	operations: { get, getTasks, wait },
};
