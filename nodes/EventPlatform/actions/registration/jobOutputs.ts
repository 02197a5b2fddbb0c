import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Row } from '../../core/people/registration';
import { jobRecord } from '../../core/registration/jobRequests';
import type { JsonObject } from '../../core/values/json';
import { groupBy } from '../../core/values/collections';
import type { PlannedJob, SentJob } from '../../core/registration/job';
import type { ReportedPerson } from '../../core/registration/report';
import { pairedItemOf, type FinishedList } from './finishedList';

interface JobOutputs {
	items: INodeExecutionData[];
	peopleWithoutJob: readonly ReportedPerson[];
}

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

export function jobOutputs({ report: { jobs, people } }: FinishedList): JobOutputs {
	const jobOf = new Map<Row, SentJob | PlannedJob>(
		jobs.flatMap((job) => job.people.map(({ row }) => [row, job] as const)),
	);
	const peopleByJob = groupBy<ReportedPerson, SentJob | PlannedJob | undefined>(people, (person) =>
		jobOf.get((person.first ?? person).row),
	);
	const items = jobs.map((job) => ({
		json: jobRecordOf(job),
		pairedItem: peopleByJob.get(job)?.flatMap((person) => pairedItemOf(person) ?? []),
	}));
	return { items, peopleWithoutJob: peopleByJob.get(undefined) ?? [] };
}
