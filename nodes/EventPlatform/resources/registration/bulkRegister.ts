import { NodeOperationError } from 'n8n-workflow';
import type { AllItemsOperation, Run } from '../operation';
import { formFor } from '../../form/formFor';
import { FormNotes } from '../../form/formNotes';
import type { Read } from '../../parameters/read';
import { readRegistrant, registrationFields } from '../../form/registrationFields';
import {
	forecast,
	rehearse,
	remainingNow,
	shortage,
	type Forecast,
} from '../../core/bulk/forecast';
import { notSent } from '../../core/bulk/outcome';
import { planRun, type Candidate, type Plan } from '../../core/bulk/plan';
import type { SentJob } from '../../core/bulk/outcomes';
import { countStatuses, headline, headlineOfPlan, type Report } from '../../core/bulk/report';
import { runBulk } from '../../core/bulk/run';
import type { Failure } from '../../core/http/failure';
import { rememberPeople } from '../../core/results/jobPeople';
import { failureText } from '../../core/http/failureText';
import { bulkFields, bulkSettings, type BulkSettings } from './bulkFields';
import { oldAnswersStay } from './register';
import { failedPeople, outputOf, type Register } from './bulkOutput';

/** Registers everyone who comes in, for one or many sessions. */
export const bulkRegister: AllItemsOperation = {
	value: 'bulkRegister',
	name: 'Bulk Register',
	action: 'Bulk register people',
	description:
		'Register all input items, any number, for one or many sessions in as few requests as possible',
	fields: [...registrationFields, ...bulkFields],
	async runAll(run) {
		const settings = bulkSettings(run.read(0));
		const plan = planRun(await candidates(run));
		const report = await perform(plan, settings, run);
		tell(report, settings, run);
		if (report.unreached && !leavesByPerson(settings, run)) throw report.unreached;
		const register: Register = { plan, report, settings };
		if (settings.failsOnAnyFailure && !run.context.continueOnFail()) refuseFailures(register, run);
		return outputOf(register, run.context);
	},
};

/** Nothing was reached: an error of the run, unless everybody leaves with it. A summary would look like a success. */
function leavesByPerson({ output }: BulkSettings, { context }: Run): boolean {
	return context.continueOnFail() && output !== 'summary';
}

async function candidates(run: Run): Promise<Candidate[]> {
	const people: Candidate[] = [];
	const notes = new FormNotes();
	for (const itemIndex of run.context.getInputData().keys()) {
		const read = run.read(itemIndex);
		people.push(await candidate(read, run, notes).catch(asProblem));
	}
	notes.hints.forEach(run.hint);
	return people;
}

async function candidate(read: Read, { api }: Run, notes: FormNotes): Promise<Candidate> {
	const form = await formFor({ api, read });
	const registrant = readRegistrant(read, form);
	notes.add(registrant, form);
	const { sessionId, email, fields, tracking, problems } = registrant;
	return { sessionId, email, problems, task: { fields, ...tracking } };
}

/** A parameter that cannot be meant concerns this item alone. */
function asProblem(error: unknown): Candidate {
	if (!(error instanceof NodeOperationError)) throw error;
	return { sessionId: '', task: {}, problems: [error.message] };
}

async function perform(plan: Plan, settings: BulkSettings, run: Run): Promise<Register['report']> {
	const { api, apiRoot, clock, signal, context } = run;
	const { waits, maxWaitSeconds, isolates } = settings;
	const expected = forecast(plan, waits, api.usage);
	if (settings.validatesOnly) return rehearse(plan, expected);
	const tooLittle = shortage(expected) && (await freshShortage(expected, run));
	if (tooLittle !== undefined) return withheld(plan, tooLittle, run);
	// Whoever hears of the job's end may have to tell people whom the platform refused.
	const onJob = ({ id, sessionId, people }: SentJob) => {
		const emails = people.map((index) => plan.people[index]?.email ?? '');
		rememberPeople(apiRoot, id, { sessionId, emails });
	};
	// A long run is watched in n8n's log, so this is no detail for debugging.
	const log = (message: string) => context.logger.info(message);
	const parts = { api, clock, signal, log, explain, onJob };
	return await runBulk(plan, parts, { waits, maxWaitSeconds, isolates });
}

function explain(failure: Failure, jobId?: string): string {
	const about = { what: 'the session', scope: 'events', jobId };
	const { title, description } = failureText(failure, about);
	return `${title}. ${description}`;
}

async function freshShortage(expected: Forecast, { api, clock }: Run): Promise<string | undefined> {
	return shortage({ ...expected, monthlyRemaining: await remainingNow(api, clock) });
}

/** The month's requests cannot cover it: better nobody than half of them. */
function withheld(plan: Plan, message: string, { context }: Run): Report {
	const description = 'Wait for the new month, send fewer people, or choose a larger plan.';
	if (!context.continueOnFail()) {
		throw new NodeOperationError(context.getNode(), message, { description });
	}
	const outcome = notSent({ code: 'quota_spent', message: `${message} ${description}` });
	const outcomes = plan.outcomes.map((known) => known ?? outcome);
	const stop = { code: 'quota_spent', message };
	return { outcomes, jobs: [], requests: 0, requestsBySession: new Map(), seconds: 0, stop };
}

function tell(report: Register['report'], settings: BulkSettings, run: Run): void {
	const { stop, outcomes, seconds } = report;
	if (settings.validatesOnly) {
		const counts = countStatuses(outcomes);
		const { monthlyRemaining } = run.api.usage;
		const left =
			monthlyRemaining === undefined ? '' : ` ${monthlyRemaining} requests are left this month.`;
		run.hint(`${headlineOfPlan(counts, report.requests, seconds)}${left}`);
		return;
	}
	// Without waiting the outcome of those in a job is nobody's to tell.
	const sent = settings.waits ? 0 : report.jobs.reduce((sum, { people }) => sum + people.length, 0);
	const counts = countStatuses(outcomes);
	if (!settings.waits) counts.unknown = (counts.unknown ?? 0) - sent;
	const jobs = settings.waits ? '' : `${sent} sent in ${report.jobs.length} jobs, `;
	const said = `${jobs}${headline(counts, run.api.usage.requests, seconds)}`;
	// One hint, so that the cause stands wherever the counts are read.
	run.hint(stop ? `${said}. The run ended early. ${stop.message}` : said);
	if (counts.already_registered) {
		run.hint(`Some were registered already. ${oldAnswersStay}`);
	}
	run.context.logger.info(`Bulk registration: ${said}`);
}

function refuseFailures(register: Register, { context }: Run): void {
	const failed = failedPeople(register);
	const [first] = failed;
	if (first === undefined) return;
	const { outcomes, jobs } = register.report;
	const message = `${failed.length} of ${outcomes.length} people could not be registered`;
	const reasons = [...new Set(failed.map((index) => outcomes[index]?.errors[0]?.message))];
	const ids = jobs.map(({ id }) => id);
	const shownIds = ids.length === 0 ? '' : ` Jobs: ${several(ids)}.`;
	throw new NodeOperationError(context.getNode(), message, {
		itemIndex: first,
		description: `${several(reasons)}${shownIds} Turn off Fail on Any Failure to get an item for everyone.`,
	});
}

function several(texts: ReadonlyArray<string | undefined>): string {
	const more = texts.length > 5 ? ` and ${texts.length - 5} more` : '';
	return `${texts.slice(0, 5).join(', ')}${more}`;
}
