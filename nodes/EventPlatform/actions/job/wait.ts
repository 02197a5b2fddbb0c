import { text, thousands } from '../../core/values/text';
import { jobRecord, waitForJob } from '../../core/jobs/jobRequests';
import { choiceField, optionsField } from '../../fields/fieldBuilders';
import { maxWaitField } from '../../fields/sharedFields';
import type { Operation } from '../operation';
import { jobId, jobOperationSettings } from './jobFields';

const onTimeout = choiceField(
	'onTimeout',
	{
		fail: 'Fail and name the job ID',
		return: {
			name: 'Return the Job as It Is',
			description: "Return the job as last seen, with 'timed_out' set to true",
		},
	},
	'return',
	'What to do if the job does not end in time',
);

export const wait: Operation = {
	action: 'Wait for bulk registration job to end',
	description: 'Wait until a job has ended or failed, then return its counts',
	...jobOperationSettings,
	fields: [jobId, optionsField([maxWaitField('Max time to wait for the job'), onTimeout])],
	async run(item) {
		const { parameters } = item;
		const id = parameters.id('jobId');
		const whenLate = parameters.choice('options.onTimeout', ['return', 'fail'], 'return');
		const seconds = parameters.maxWaitSeconds();
		const lastState = await waitForJob(id, seconds, item);
		const record = lastState ? jobRecord(lastState) : { id, status: 'unknown' };
		const isLate = !lastState?.isFinal;
		if (isLate && whenLate === 'fail') {
			throw parameters.parameterError(
				`Job ${id} was not done after ${thousands(seconds)} seconds`,
				`It was last seen with the status '${text(record.status)}' and goes on without this workflow. ` +
					"Get it later by its ID, or allow more time in 'Max Wait'.",
			);
		}
		return { ...record, timed_out: isLate };
	},
};
