import { NodeOperationError } from 'n8n-workflow';
import type { AllItemsOperation, Run } from '../operation';
import { formFor } from '../../form/formFor';
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
import { countStatuses, headline, type Report } from '../../core/bulk/report';
import { runBulk } from '../../core/bulk/run';
import type { Failure } from '../../core/http/failure';
import { failureText } from '../../core/http/failureText';
import { bulkFields, bulkSettings, type BulkSettings } from './bulkFields';
import { failedPeople, outputOf, type Register } from './bulkOutput';

/** Registers everyone who comes in, for one or many sessions. */
export const bulkRegister: AllItemsOperation = {
	value: 'bulkRegister',
	name: 'Bulk Register',
	action: 'Register people in bulk',
	description:
		'Register all input items, any number, for one or many sessions in as few requests as possible',
	fields: [...registrationFields, ...bulkFields],
	async runAll(run) {
		const settings = bulkSettings(run.read(0));
		const plan = planRun(await candidates(run));
		const report = await perform(plan, settings, run);
		tell(report, settings, run);
		const register: Register = { plan, report, settings };
		if (settings.failsOnAnyFailure && !run.context.continueOnFail()) refuseFailures(register, run);
		return outputOf(register, run.context);
	},
};

async function candidates(run: Run): Promise<Candidate[]> {
	const people: Candidate[] = [];
	const ignored = new Set<string>();
	for (const itemIndex of run.context.getInputData().keys()) {
		const read = run.read(itemIndex);
		people.push(await candidate(read, run, ignored).catch(asProblem));
	}
	if (ignored.size > 0) {
		run.hint(`Not on the registration form, so left out: ${[...ignored].join(', ')}.`);
	}
	return people;
}

async function candidate(read: Read, { api }: Run, ignored: Set<string>): Promise<Candidate> {
	const registrant = readRegistrant(read, await formFor({ api, read }));
	for (const name of registrant.ignored) ignored.add(name);
	const { sessionId, email, fields, tracking, problems } = registrant;
	return { sessionId, email, problems, task: { fields, ...tracking } };
}

/** A parameter that cannot be meant concerns this item alone. */
function asProblem(error: unknown): Candidate {
	if (!(error instanceof NodeOperationError)) throw error;
	return { sessionId: '', task: {}, problems: [error.message] };
}

async function perform(plan: Plan, settings: BulkSettings, run: Run): Promise<Register['report']> {
	const { api, clock, signal, context } = run;
	const { waits, maxWaitSeconds, isolates } = settings;
	const expected = forecast(plan, waits, api.usage);
	if (settings.validatesOnly) return rehearse(plan, expected);
	const tooLittle = shortage(expected) && (await freshShortage(expected, run));
	if (tooLittle !== undefined) return withheld(plan, tooLittle, run);
	// A long run is watched in n8n's log, so this is no detail for debugging.
	const log = (message: string) => context.logger.info(message);
	const parts = { api, clock, signal, log, explain };
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
		run.hint(`${headline(counts, report, seconds)}. Nothing was sent.${left}`);
		return;
	}
	// Without waiting the outcome of those in a job is nobody's to tell.
	const sent = settings.waits ? 0 : report.jobs.reduce((sum, { people }) => sum + people.length, 0);
	const counts = countStatuses(outcomes);
	if (!settings.waits) counts.unknown = (counts.unknown ?? 0) - sent;
	const jobs = settings.waits ? '' : `${sent} sent in ${report.jobs.length} jobs, `;
	run.hint(`${jobs}${headline(counts, run.api.usage, seconds)}`);
	if (stop) run.hint(`The run ended early. ${stop.message}`);
	run.context.logger.info(`Bulk registration: ${jobs}${headline(counts, run.api.usage, seconds)}`);
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
