import type { INodeExecutionData } from 'n8n-workflow';
import { groupBy } from '../../core/values/collections';
import type { PlannedJob, SentJob } from '../../core/bulk/job';
import type { FinishedList } from './finishedList';

/** The output of a run that waits for nobody. */
interface JobOutputs {
	/** One item for each job, paired to its people and to their duplicates. */
	items: INodeExecutionData[];
	/** The indexes of the rows of people who are in none of the jobs. */
	indexesWithoutJob: readonly number[];
}

/** Makes the output of a run that waits for nobody. */
export function jobOutputs({ plan, report }: FinishedList): JobOutputs {
	const { people, firstOf } = plan;
	const { jobs } = report;
	const jobOf = new Map<number, SentJob | PlannedJob>(
		jobs.flatMap((job) => job.indexes.map((index) => [index, job] as const)),
	);
	const indexesByJob = groupBy([...people.keys()], (index) =>
		jobOf.get(firstOf.get(index) ?? index),
	);
	const items = jobs.map((job) => ({
		json: {
			job_id: 'id' in job ? job.id : null,
			session_id: job.sessionId,
			status: job.status,
			total_items: job.indexes.length,
		},
		pairedItem: indexesByJob.get(job)?.map((item) => ({ item })),
	}));
	return { items, indexesWithoutJob: indexesByJob.get(undefined) ?? [] };
}
