import { readTaskResult } from '../../core/jobs/taskResult';
import { TaskReader } from '../../core/jobs/jobRequests';
import { readPeopleOfJob, explainUnnamedOnce } from '../../core/jobs/jobPeople';
import type { RecordView } from '../../core/records/recordView';
import { optionsField, switchField } from '../../fields/fieldBuilders';
import { pageFields, simplifyField } from '../../fields/recordFields';
import { hintsOfRest, isTool, limitFor, withTotal } from '../listOperation';
import type { Operation } from '../operation';
import { jobId, jobOperationSettings } from './jobFields';

/** The hint about a job without results. Every job has at least one task, so results will come. */
const noResultsYet =
	"The platform does not show results of the job yet. Put 'Wait' before 'Get Tasks', or run this again later.";

export const getTasks: Operation = {
	action: 'Get results of bulk registration job',
	description:
		"Retrieve the result for each person of a job, with reasons. 'status' is Livestorm's word, 'outcome' tells people who were registered before from those who failed.",
	...jobOperationSettings,
	fields: [
		jobId,
		...pageFields,
		simplifyField,
		optionsField([
			switchField('onlyFailed', true, 'Whether to return only the people who were not registered'),
		]),
	],
	async run({ client, apiRoot, n8n, parameters, notes }) {
		const id = parameters.id('jobId');
		const limit = limitFor(n8n, parameters.limit());
		const view: RecordView = { columns: 'usual', zone: parameters.zone };
		const simplified = parameters.simplify();
		const wantsFailed = parameters.option('onlyFailed');
		// Only all results of a job together tell whose each is.
		const results = simplified
			? await readPeopleOfJob(client.send, apiRoot, id, { view })
			: (await new TaskReader(client.send).readSoFar(id)).map((task) => {
					return { task, record: task };
				});
		if (results.length === 0) notes.hint(noResultsYet);
		const chosenResults = results.filter(
			({ task }) => !wantsFailed || readTaskResult(task)?.status === 'failed',
		);
		const records = explainUnnamedOnce(chosenResults.slice(0, limit).map(({ record }) => record));
		const total = chosenResults.length;
		if (isTool(n8n)) return withTotal(records, total);
		for (const hint of hintsOfRest(records.length, total)) notes.hint(hint);
		return records;
	},
};
