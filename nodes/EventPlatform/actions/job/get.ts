import { readAnyRecord } from '../../core/client/document';
import { expectJob, jobRecord } from '../../core/jobs/jobState';
import { simplifyField } from '../../fields/recordFields';
import type { Operation } from '../operation';
import { jobId, ofJob } from './jobFields';

export const get: Operation = {
	action: 'Get progress of bulk registration job',
	description:
		"Retrieve the status of a job and how many of its tasks are done. People who were registered before count in 'total_fail': 'Get Tasks' tells them from the others.",
	...ofJob,
	fields: [jobId, simplifyField],
	async run({ api, parameters }) {
		const request = { method: 'GET', path: parameters.path('/jobs/{jobId}') } as const;
		const simplify = parameters.simplify();
		const answer = await api(request);
		return simplify ? jobRecord(expectJob(request, answer)) : readAnyRecord(request, answer);
	},
};
