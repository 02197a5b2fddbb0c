import { expectJob, jobRecord } from '../../core/jobs/jobState';
import type { Operation } from '../operation';
import { aboutJob, jobId } from '../../parameters/jobFields';
import { simplifyField } from '../../parameters/recordFields';
import { readRecord } from '../../core/http/jsonApi';
import { pathTo } from '../../core/http/path';

export const get: Operation = {
	value: 'get',
	action: 'Get progress of bulk registration job',
	description: 'Retrieve the status of a job and how many of its tasks are done',
	usesReserve: true,
	fields: [jobId, simplifyField],
	overlapping: true,
	about: aboutJob,
	async run({ api, read }) {
		const request = { method: 'GET', path: pathTo`/jobs/${read.id('jobId')}` } as const;
		const simplify = read.simplify();
		const answer = await api(request);
		return simplify ? jobRecord(expectJob(request, answer)) : readRecord(request, answer);
	},
};
