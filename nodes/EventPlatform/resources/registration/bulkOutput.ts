import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Valid } from '../../core/bulk/forecast';
import type { Outcome } from '../../core/bulk/outcome';
import type { SentJob } from '../../core/bulk/outcomes';
import type { Plan } from '../../core/bulk/plan';
import { summarize, type Report } from '../../core/bulk/report';
import type { Json } from '../../core/http/ports';
import { reasonOf } from '../../core/jobs/taskResult';
import type { BulkSettings } from './bulkFields';

/** All there is to tell about a run. */
export interface Register<Of extends Told = Outcome | Valid> {
	plan: Pick<Plan, 'people' | 'firstOf'>;
	report: Report<Of>;
	settings: Pick<BulkSettings, 'waits' | 'validatesOnly' | 'output'>;
	/** What the run did with people, and what it can say of them, where it is no registration. */
	words?: { done: string; statuses: readonly string[] };
	/** Somebody who is on no item → the item to pair with. */
	pairedTo?: ReadonlyMap<number, number>;
}

/** What is told of one person. */
interface Told extends Omit<Outcome, 'status'> {
	status: string;
	/** Only of a run that can change answers. */
	changes?: ReadonlyArray<{ field: string; old: Json; new: Json }>;
}

const failures: ReadonlySet<string> = new Set(['failed', 'invalid', 'unknown']);

export function outputOf(
	register: Register<Told>,
	context: IExecuteFunctions,
): INodeExecutionData[] {
	const { plan, report, settings, words, pairedTo } = register;
	const { waits, validatesOnly, output } = settings;
	if (!waits && !validatesOnly) {
		return [...jobOutputs(register), ...withoutJob(register, context)];
	}
	if (output === 'summary') {
		return summarize(plan, report, words?.statuses).map(({ people, record }) => ({
			json: record,
			pairedItem: people.flatMap((item) => (pairedTo?.has(item) ? [] : { item })),
		}));
	}
	const everyone = [...plan.people.keys()];
	const shown =
		output === 'failed' ? everyone.filter((index) => isMissing(index, register)) : everyone;
	return shown.map((index) => personOutput(index, register, context));
}

/** People whom the platform or the connector refused, or of whom nobody knows. */
export function failedPeople({ report, settings }: Register): number[] {
	const unawaited = settings.waits ? undefined : peopleInJobs(report.jobs);
	return [...report.outcomes.keys()].filter(
		(index) => failures.has(report.outcomes[index]?.status ?? '') && !unawaited?.has(index),
	);
}

/** A duplicate is registered when the earlier person is. */
function isMissing(index: number, { plan, report }: Register<Told>): boolean {
	return failures.has(report.outcomes[plan.firstOf.get(index) ?? index]?.status ?? '');
}

function personOutput(
	index: number,
	register: Register<Told>,
	context: IExecuteFunctions,
): INodeExecutionData {
	const { plan, report, words, pairedTo } = register;
	const candidate = plan.people[index];
	const { status, jobId, person, changes, errors } = report.outcomes[index] ?? nobody;
	const outcome = {
		email: candidate?.email ?? null,
		status,
		reason: reasonOf(errors),
		session_id: candidate?.sessionId ? candidate.sessionId : null,
		job_id: jobId ?? null,
		person: person ?? null,
		...(changes && { changes: changes.map((change) => ({ ...change })) }),
		errors: errors.map(({ code, message }) => ({ code, message })),
	};
	const pairedItem = { item: pairedTo?.get(index) ?? index };
	const leaves = isMissing(index, register) && context.getNode().onError === 'continueErrorOutput';
	if (!leaves) return { json: outcome, pairedItem };
	const who = outcome.email ?? 'A person without email';
	const message = `${who} was not ${words?.done ?? 'registered'}: ${outcome.reason ?? status}`;
	// An item that has nothing but `error` goes to the error output, beside what came in; there n8n
	// keeps of a thrown error only its message.
	return { json: { error: { message, ...outcome } }, pairedItem };
}

const nobody: Told = { status: 'unknown', errors: [] };

/** Nobody waits: one item per job, paired to its people and to their duplicates. */
function jobOutputs({ plan, report }: Register<Told>): INodeExecutionData[] {
	const duplicatesOf = new Map<number, number[]>();
	for (const [index, first] of plan.firstOf) {
		duplicatesOf.set(first, [...(duplicatesOf.get(first) ?? []), index]);
	}
	return report.jobs.map(({ id, sessionId, people, status }) => ({
		json: { job_id: id, session_id: sessionId, status, total_items: people.length },
		pairedItem: people
			.flatMap((index) => [index, ...(duplicatesOf.get(index) ?? [])])
			.map((item) => ({ item })),
	}));
}

/** No silent loss: people who are in no job are shown by themselves. */
function withoutJob(register: Register<Told>, context: IExecuteFunctions): INodeExecutionData[] {
	const { plan, report } = register;
	const inJobs = peopleInJobs(report.jobs);
	return [...plan.people.keys()]
		.filter((index) => !inJobs.has(plan.firstOf.get(index) ?? index))
		.map((index) => personOutput(index, register, context));
}

function peopleInJobs(jobs: readonly SentJob[]): Set<number> {
	return new Set(jobs.flatMap(({ people }) => people));
}
