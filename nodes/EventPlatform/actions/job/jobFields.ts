import type { INodeProperties } from 'n8n-workflow';
import { neededText } from '../../fields/fieldBuilders';
import type { ItemOperation } from '../operation';

export const jobId: INodeProperties = neededText(
	'jobId',
	"ID of the job, from the field 'job_id' of a bulk registration",
	'0c9a3b52-6f0e-4a7d-8b1c-2d3e4f5a6b7c',
);

/** The settings of every operation on a job. Each failure names the job, because it goes on without the workflow. */
export const jobOperationSettings: Pick<ItemOperation, 'mayOverlap' | 'about'> = {
	mayOverlap: true,
	about: (parameters) => ({ what: 'the job', jobId: parameters.id('jobId') }),
};
