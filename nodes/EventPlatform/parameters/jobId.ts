import type { INodeProperties } from 'n8n-workflow';
import type { About } from '../core/failures/causes';
import type { Read } from './read';

export const jobId: INodeProperties = {
	displayName: 'Job ID',
	name: 'jobId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0c9a3b52-6f0e-4a7d-8b1c-2d3e4f5a6b7c',
	description: "ID of the job, as bulk registration returns it in 'job_id'",
};

/** Every failure names the job, because it goes on without the workflow. */
export function aboutJob(read: Read): About {
	return { jobId: read.id('jobId') };
}
