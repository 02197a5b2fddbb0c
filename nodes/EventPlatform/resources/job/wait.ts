import { jobRecord } from '../../core/jobs/jobState';
import { waitForJob } from '../../core/jobs/waiting';
import type { Operation } from '../operation';
import { choiceField, options } from '../../parameters/field';
import { aboutJob, jobId, maxWaitSeconds, readMaxWaitSeconds } from '../../parameters/jobFields';
import { text } from '../../core/http/text';
import { Cancelled } from '../../core/http/failure';

const howLong = maxWaitSeconds('Max time to wait for the job');

const onTimeout = choiceField(
	'onTimeout',
	{
		fail: ['Fail', 'Fail and name the job ID'],
		return: [
			'Return the Job as It Is',
			"Return the job as last seen, with 'timed_out' set to true",
		],
	},
	'return',
	'What to do if the job does not end in time',
);

/** Waits until a job has ended, looking rarely: its progress tells when to look next. */
export const wait: Operation = {
	value: 'wait',
	action: 'Wait for bulk registration job to end',
	description: 'Wait until a job has ended or failed, then return its counts',
	usesReserve: true,
	fields: [jobId, options([howLong, onTimeout])],
	overlapping: true,
	about: aboutJob,
	async run({ api, clock, signal, read }) {
		const id = read.id('jobId');
		const chosen = read.chosen('options');
		const seconds = readMaxWaitSeconds(read);
		const waited = await waitForJob(id, { api, clock, signal, maxWaitSeconds: seconds });
		if (waited.ended === 'ABORTED') throw new Cancelled();
		const seen = waited.job ? jobRecord(waited.job) : { id, status: 'unknown' };
		if (waited.ended === 'TIMEOUT' && chosen.onTimeout === 'fail') {
			throw read.refusal(
				`Job ${id} was not done after ${seconds} seconds`,
				`It was last seen with the status '${text(seen.status)}' and goes on without this workflow. ` +
					"Get it later by its ID, or allow more time in 'Max Wait'.",
			);
		}
		return { ...seen, timed_out: waited.ended === 'TIMEOUT' };
	},
};
