import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import {
	countStatuses,
	headline,
	headlineOfPlan,
	nobodyRegistered,
	summarize,
	type Report,
} from '../../core/bulk/report';
import type { Change, PersonOutcome, Status } from '../../core/bulk/outcome';
import type { Candidate, Plan } from '../../core/bulk/plan';
import { groupBy } from '../../core/http/collections';
import type { JsonObject } from '../../core/http/ports';
import { excerpt, text } from '../../core/http/text';
import { reasonOf, type Reason } from '../../core/jobs/task';
import type { Run } from '../operation';
import type { Output, People } from './bulkRun';

/** A run over people that has come to its end, and how its output is wanted. */
export interface FinishedRun {
	plan: Pick<Plan, 'people' | 'firstOf'>;
	/** `refusal`: why nothing was, or would be, sent. */
	report: Report & { refusal?: Reason };
	settings: { waits: boolean; validatesOnly: boolean; output: Output; includesDetails: boolean };
	words: {
		/** In n8n's log. */
		run: string;
		/** What it does with people, and the status of those whom it has registered. */
		done: string;
		registered: Status;
		/** What a summary counts; absent: what a registration can come to. */
		statuses?: readonly string[];
		/** Before the counts of a run that sends nothing. */
		rehearsal: string;
		/** What to do when the run is refused. */
		refused: string;
	};
	/** What there is to say below the counts. */
	hints: readonly string[];
	/** Somebody who is on no item → the item to pair with. */
	pairedTo?: ReadonlyMap<number, number>;
}

const nothingKnown: PersonOutcome = { status: 'unknown', errors: [] };
const failures: readonly Status[] = ['failed', 'invalid', 'kept', 'not_updated', 'unknown'];

export const untilMoreRequests =
	'Wait for the new month, send fewer people, or choose a larger plan.';

/** Tells what became of everyone, and gives the output; an error where the run was refused or reached nobody. */
export function finish(
	done: FinishedRun,
	{ people, notes }: People,
	run: Run,
): INodeExecutionData[] {
	const { report, settings, words, hints } = done;
	const { outcomes, refusal, unreached } = report;
	const isStopped = !run.context.continueOnFail();
	if (refusal && isStopped && !settings.validatesOnly) {
		const description = refusal.code === 'quota_spent' ? untilMoreRequests : words.refused;
		throw new NodeOperationError(run.context.getNode(), refusal.message, { description });
	}
	const said = headlineOf(done, run);
	run.context.logger.info(`${words.run}: ${said}`);
	const isRegistered = (place: number) => outcomes[place]?.status === words.registered;
	const sent = people.flatMap(({ sessionId, wanted: { fields } }, place) =>
		isRegistered(place) && outcomes[place]?.person ? { sessionId, fields } : [],
	);
	const answers = [notes.notAsked(), notes.notKept(sent), notes.withoutAnswer(isRegistered)];
	[said, ...hints, ...answers.flat()].forEach(run.hint);
	if (unreached && isStopped) throw unreached;
	return outputOf(done, run.context);
}

/** The counts, and in one with them why the run ended, so that the cause stands wherever the counts are read. */
function headlineOf({ report, settings, words }: FinishedRun, { api }: Run): string {
	const { outcomes, jobs, requests, seconds, stop, refusal } = report;
	const awaited = outcomes.filter(isAwaited);
	const counts = countStatuses(awaited);
	const early = stop && `The run ended early. ${stop.message}`;
	if (settings.validatesOnly) {
		const { monthlyRemaining: left } = api.usage;
		const month = left === undefined ? undefined : `${left} requests are left this month.`;
		const why = refusal && `Without the dry run, the node would stop. ${refusal.message}`;
		const plan = `${words.rehearsal}${headlineOfPlan(counts, requests, seconds)}`;
		return [plan, month, early ?? why].filter((one) => one !== undefined).join(' ');
	}
	const sent = `${outcomes.length - awaited.length} sent in ${jobs.length} jobs, `;
	const counted = `${settings.waits ? '' : sent}${headline(counts, api.usage, seconds)}`;
	const why = early ?? refusal?.message;
	return why === undefined ? counted : `${counted}. ${why}`;
}

/** An error where nobody at all is registered, unless everyone leaves with the own reason. */
function outputOf(run: FinishedRun, context: IExecuteFunctions): INodeExecutionData[] {
	const { plan, report, settings, words, pairedTo } = run;
	const { waits, validatesOnly, output } = settings;
	const nobody = validatesOnly ? undefined : nobodyRegistered(report.outcomes);
	if (nobody && !context.continueOnFail()) {
		throw new NodeOperationError(context.getNode(), nobody.message, {
			description: `${nobody.reason} To get an item for each person, set 'On Error' of the node to 'Continue (using error output)'.`,
		});
	}
	if (!waits && !validatesOnly) return jobOutputs(run, context);
	// A summary on the branch of the successes would look like one.
	if (output === 'summary' && !nobody) {
		return summarize(plan, report, words.statuses).map(({ people, record }) => ({
			json: record,
			pairedItem: people.flatMap((item) => (pairedTo?.has(item) ? [] : { item })),
		}));
	}
	return [...plan.people.keys()]
		.filter((index) => output !== 'failed' || isMissing(index, run))
		.map((index) => personOutput(index, run, context));
}

/** Sent by a run that waits for nobody: what became of them is not for it to tell. */
function isAwaited({ errors: [why] }: PersonOutcome): boolean {
	return why?.code !== 'not_awaited';
}

/** People whom the platform or the connector refused, or of whom nobody knows. */
export function failedPeople(outcomes: readonly PersonOutcome[]): number[] {
	return outcomes.flatMap((one, index) =>
		failures.includes(one.status) && isAwaited(one) ? index : [],
	);
}

/** A duplicate is registered when the earlier person is. */
function isMissing(index: number, { plan, report }: FinishedRun): boolean {
	const { status } = report.outcomes[plan.firstOf.get(index) ?? index] ?? {};
	return status !== undefined && failures.includes(status);
}

function personOutput(
	index: number,
	run: FinishedRun,
	context: IExecuteFunctions,
): INodeExecutionData {
	const pairedItem = { item: run.pairedTo?.get(index) ?? index };
	const row = personRow(index, run);
	if (!isMissing(index, run) || !context.continueOnFail()) return { json: row, pairedItem };
	const message = `${who(row)} was not ${run.words.done}: ${text(row.reason) || text(row.status)}`;
	if (context.getNode().onError !== 'continueErrorOutput') {
		return { json: { ...row, error: message }, pairedItem };
	}
	// An item that has nothing but `error` goes to the error output, where n8n adds the values of the paired item, which
	// must not be another person's. Of a thrown error it keeps only the message.
	const json = { error: { message, ...row } };
	return run.pairedTo?.has(index) ? { json } : { json, pairedItem };
}

/** One person a line: flat and short, so that a table shows it at a glance. */
function personRow(index: number, { plan, report, settings, pairedTo }: FinishedRun): IDataObject {
	const candidate = plan.people[index];
	const { status, jobId, person, changes, errors } = report.outcomes[index] ?? nothingKnown;
	const details = settings.includesDetails;
	return {
		email: candidate?.email ?? null,
		status,
		...(changes && {
			changes: details
				? changes.map((one) => ({ ...one }))
				: changes.map(changeInWords).join('; ') || null,
		}),
		reason: reasonOf(errors),
		code: errors[0]?.code ?? null,
		name: nameOf(candidate, person),
		row: pairedTo?.has(index) ? null : index + 1,
		person_id: person?.id ?? null,
		session_id: candidate?.sessionId ? candidate.sessionId : null,
		job_id: jobId ?? null,
		...(details && {
			person: person ?? null,
			errors: errors.map(({ code, message }) => ({ code, message })),
		}),
	};
}

function who({ email, name, row }: IDataObject): string {
	if (email !== null) return excerpt(text(email), longestAddress);
	return name === null ? `The person in row ${text(row)}` : `${text(name)} (row ${text(row)})`;
}

/** No address that a mail can reach is longer. */
const longestAddress = 254;
/** Long enough for a name, and short enough for a line. */
const longestName = 100;

/** As it was sent, else as it is registered. */
function nameOf(candidate: Candidate | undefined, person: JsonObject = {}): string | null {
	const names = ['first_name', 'last_name'].map((id) => {
		const sent = candidate?.wanted.fields.find((field) => field.id === id)?.value;
		return excerpt(text(sent ?? person[id]), longestName).trim();
	});
	return names.join(' ').trim() || null;
}

/** "company: Acme → NewCorp", "topics: (empty) → a, b" */
function changeInWords({ field, ...values }: Change): string {
	const [old, wanted] = [values.old, values.new].map((value) => {
		const texts = [value].flat().map((one) => text(one) || (one ? JSON.stringify(one) : ''));
		return texts.filter((one) => one !== '').join(', ') || '(empty)';
	});
	return `${field}: ${old} → ${wanted}`;
}

/** Nobody waits: one item per job, paired to its people and to their duplicates; and who is in none. */
function jobOutputs(run: FinishedRun, context: IExecuteFunctions): INodeExecutionData[] {
	const { plan, report } = run;
	const jobOf = new Map(
		report.jobs.flatMap(({ people }, nth) => people.map((index) => [index, `${nth}`] as const)),
	);
	const none = 'none';
	const members = groupBy(
		[...plan.people.keys()],
		(index) => jobOf.get(plan.firstOf.get(index) ?? index) ?? none,
	);
	const jobs = report.jobs.map(({ id, sessionId, people, status }, nth) => ({
		json: { job_id: id, session_id: sessionId, status, total_items: people.length },
		pairedItem: members.get(`${nth}`)?.map((item) => ({ item })),
	}));
	const others = members.get(none) ?? [];
	return [...jobs, ...others.map((index) => personOutput(index, run, context))];
}
