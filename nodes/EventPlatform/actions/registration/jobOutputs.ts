import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Row } from '../../core/people/registration';
import { jobRecord } from '../../core/registration/jobRequests';
import type { JsonObject } from '../../core/values/json';
import { groupBy } from '../../core/values/collections';
import type { PlannedJob, SentJob } from '../../core/registration/job';
import type { FinishedList } from './finishedList';

/** The output of a run that waits for nobody. */
interface JobOutputs {
	/** One item for each job, paired to its people and to their duplicates. */
	items: INodeExecutionData[];
	/** The indexes of the rows of people who are in none of the jobs. */
	indexesWithoutJob: readonly number[];
}

/** Describes a job as the platform accepted it. A job of a dry run has no ID and no counts yet. */
function jobRecordOf(job: SentJob | PlannedJob): IDataObject {
	const { id = null, ...counts } = 'accepted' in job ? jobRecord(job.accepted) : noCounts;
	return {
		job_id: id,
		session_id: job.sessionId,
		...counts,
		status: job.status === 'planned' ? job.status : counts.status,
		total_items: counts.total_items ?? job.people.length,
	};
}

const noCounts: JsonObject = {
	status: null,
	total_items: null,
	total_processed_items: null,
	total_success: null,
	total_fail: null,
};

/** Makes the output of a run that waits for nobody. */
export function jobOutputs({ plan, report }: FinishedList): JobOutputs {
	const { people, firstOf } = plan;
	const { jobs } = report;
	const jobOf = new Map<Row | undefined, SentJob | PlannedJob>(
		jobs.flatMap((job) => job.people.map(({ row }) => [row, job] as const)),
	);
	const indexesByJob = groupBy([...people.keys()], (index) =>
		jobOf.get(people[firstOf.get(index) ?? index]),
	);
	const items = jobs.map((job) => ({
		json: jobRecordOf(job),
		pairedItem: indexesByJob.get(job)?.map((item) => ({ item })),
	}));
	return { items, indexesWithoutJob: indexesByJob.get(undefined) ?? [] };
}
