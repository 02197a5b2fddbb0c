import { filledPath } from '../../fields/requestParts';
import { readRecord } from '../../core/client/document';
import { expectJob, jobRecord } from '../../core/jobs/jobRequests';
import { simplifyField } from '../../fields/recordFields';
import type { Operation } from '../operation';
import { jobId, jobOperationSettings } from './jobFields';

export const get: Operation = {
	action: 'Get progress of bulk registration job',
	description:
		"Retrieve the status of a job and how many of its tasks are done. People who were registered before count in 'total_fail': the column 'outcome' of 'Get Tasks' tells them from the others.",
	...jobOperationSettings,
	fields: [jobId, simplifyField],
	async run({ client, parameters }) {
		const request = { method: 'GET', path: filledPath(parameters, '/jobs/{jobId}') } as const;
		const simplify = parameters.simplify();
		const response = await client.send(request);
		return simplify ? jobRecord(expectJob(request, response)) : readRecord(request, response);
	},
};
