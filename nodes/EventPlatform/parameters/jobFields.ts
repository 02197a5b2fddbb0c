import type { INodeProperties } from 'n8n-workflow';
import type { About } from '../core/failures/causes';
import { numberField, textField } from './field';
import type { Read } from './read';

export const jobId = textField(
	'jobId',
	"ID of the job, from the field 'job_id' of a bulk registration",
	{
		required: true,
		placeholder: 'e.g. 0c9a3b52-6f0e-4a7d-8b1c-2d3e4f5a6b7c',
	},
);

/** Every failure names the job, because it goes on without the workflow. */
export function aboutJob(read: Read): About {
	return { jobId: read.id('jobId') };
}

const usualSeconds = 900;

export function maxWaitSeconds(description: string): INodeProperties {
	return numberField('maxWaitSeconds', usualSeconds, description, {
		displayName: 'Max Wait (Seconds)',
		typeOptions: { minValue: 1 },
	});
}

/** Of the options. Refused at 0 and below, where not even one request would be allowed. */
export function readMaxWaitSeconds(read: Read): number {
	const seconds = Number(read.chosen('options').maxWaitSeconds ?? usualSeconds);
	if (seconds > 0) return seconds;
	throw read.refusal("'Max Wait' is not a number of seconds above 0");
}
