/*
 * Sync: makes the registrants of each session those of a list. Begin here. Nothing is remembered between runs.
 *
 *   law.ts         whom it may remove; to be read aloud
 *   registered.ts  reads the sessions and who is registered for them
 *   plan.ts        who is added, updated, removed or kept, before anything is sent: all that a dry run shows
 *   changes.ts     which answers are to be changed; typingMistakes.ts: who may be the same person
 *   steps.ts       carries out updates and removals, one request each
 */
import { notSent, type Status } from '../bulk/outcome';
import { planRun, type Candidate, type SentJob } from '../bulk/plan';
import { costOf, createMeter, shortage, type Cost, type Meter, type Report } from '../bulk/report';
import { runBulk } from '../bulk/run';
import type { Usage } from '../http/ports';
import { text } from '../http/json';
import type { Reason } from '../jobs/task';
import * as law from './law';
import { become, keep, planSync, type Entry, type Rules, type SyncPlan } from './plan';
import { readRegistered, type SyncParts } from './registered';
import { Steps, type Step } from './steps';

export interface SyncOptions extends Rules {
	/** Nothing is sent: the plan and its cost. */
	rehearses: boolean;
	maxWaitSeconds: number;
}

export interface SyncReport extends Report {
	/** `people`: whom the outcomes are about. */
	plan: SyncPlan & { people: Candidate[] };
	refusal?: Reason;
}

export const inDryRun: Partial<Record<Status, Status>> = {
	added: 'would_add',
	updated: 'would_update',
	removed: 'would_remove',
};

export async function runSync(
	list: readonly Candidate[],
	parts: SyncParts,
	options: SyncOptions,
): Promise<SyncReport> {
	const { usage } = parts.api;
	const meter = createMeter(parts, options.maxWaitSeconds);
	const { rows, sessions, stop, unreached } = await readRegistered(list, parts, meter, options);
	const plan = planSync(rows, sessions, options, parts.show);
	const { entries } = plan;
	// The lists have just told what is left of the month.
	const message = shortage(costOfPlan(plan, usage).requests, usage.monthlyRemaining);
	const refusal =
		plan.refusal ?? (message === undefined ? undefined : { code: 'quota_spent', message });
	const people = entries.map(({ candidate }) => candidate);
	const report = { plan: { ...plan, people }, refusal, jobs: [], stop, unreached };
	if (options.rehearses) {
		const outcomes = entries.map(({ outcome }) => {
			return { ...outcome, status: inDryRun[outcome.status] ?? outcome.status };
		});
		return { ...report, ...costOfPlan(plan, usage, meter.spent()), outcomes };
	}
	const whyNot = stop ?? refusal;
	if (whyNot) withhold(entries, whyNot);
	const done = whyNot ? {} : await carryOut(entries, parts, options, meter);
	return { ...report, ...meter.spent(), ...done, outcomes: entries.map(({ outcome }) => outcome) };
}

export function costOfPlan(
	{ entries }: SyncPlan,
	usage: Pick<Usage, 'perSecond'>,
	spent?: Cost,
): Cost {
	const additions = entries.filter(({ todo }) => todo === 'add');
	const { chunks } = planRun(additions.map(({ candidate }) => candidate));
	// To add people and to read their results, and one for each who is changed or removed.
	return costOf([...chunks, ...chunks, ...stepsOf(entries)], usage, spent);
}

/** The month, or what the list would remove, forbids it: nothing is sent. */
function withhold(entries: readonly Entry[], whyNot: Reason): void {
	for (const entry of entries.filter(({ todo }) => todo)) {
		const isRemoval = entry.outcome.status === 'removed';
		become(entry, isRemoval ? { status: 'kept', errors: [whyNot] } : notSent(whyNot));
	}
}

/** Additions first, removals last and only of sessions without doubt: a run that ends early has taken nobody away. */
async function carryOut(entries: Entry[], parts: SyncParts, options: SyncOptions, meter: Meter) {
	const additions = entries.filter(({ todo }) => todo === 'add');
	const { jobs, stop } = await add(additions, parts, options, meter);
	keepWhoIsInDoubt(entries, options);
	const steps = new Steps(parts, (sessionId) => meter.askFor(sessionId), stop);
	for (const status of ['updated', 'removed']) {
		const some = entries.filter(({ todo, outcome }) => todo && outcome.status === status);
		const became = await steps.take(stepsOf(some));
		for (const [nth, entry] of some.entries()) {
			const done = became[nth] ?? {};
			if (done.status) become(entry, done);
			else entry.outcome = { ...entry.outcome, ...done };
		}
	}
	return { jobs, stop: steps.stop };
}

/** Registers them through bulk registration. Gives its jobs with the places of their rows. */
async function add(additions: Entry[], parts: SyncParts, options: SyncOptions, meter: Meter) {
	const bulk = planRun(additions.map(({ candidate }) => candidate));
	if (bulk.chunks.length === 0) return { jobs: [], stop: undefined };
	const placesOf = (nth: number) => additions[nth]?.place ?? [];
	const inPlace = (job: SentJob): SentJob => ({ ...job, people: job.people.flatMap(placesOf) });
	const onJob = (job: SentJob) => parts.onJob?.(inPlace(job));
	const waiting = { ...options, waits: true, isolates: true };
	const { outcomes, jobs, stop } = await runBulk(bulk, { ...parts, onJob }, waiting, meter);
	for (const [nth, entry] of additions.entries()) {
		const outcome = outcomes[nth] ?? entry.outcome;
		const isAdded = outcome.status === 'registered';
		// What was planned may say of whom it may be a second address.
		const { errors } = isAdded ? entry.outcome : outcome;
		entry.outcome = { ...outcome, ...(isAdded && { status: 'added' }), changes: [], errors };
	}
	return { jobs: jobs.map(inPlace), stop };
}

/** The law once more: what came of the additions may speak against removals from their session. */
function keepWhoIsInDoubt(entries: readonly Entry[], { removesDespite }: Rules): void {
	const doubts = new Map<string, { first: string; more: number }>();
	/** By session and the ID that the platform shows, which everybody who is to be removed has. */
	const emailOf = new Map<string, string>();
	for (const { place, candidate, outcome, todo } of entries) {
		if (todo !== 'add') continue;
		const { sessionId, email = '' } = candidate;
		emailOf.set(`${sessionId} ${text(outcome.person?.id)}`, email);
		const doubt = removesDespite ? undefined : law.doubtAbout(place, email, outcome);
		if (doubt === undefined) continue;
		const { first = doubt, more = -1 } = doubts.get(sessionId) ?? {};
		doubts.set(sessionId, { first, more: more + 1 });
	}
	for (const entry of entries) {
		if (typeof entry.todo !== 'object' || entry.todo.wanted) continue;
		const { sessionId, person } = entry.todo;
		const email = emailOf.get(`${sessionId} ${text(person.id)}`);
		const why = doubts.get(sessionId);
		if (email !== undefined) keep(entry, law.addedAs(email));
		else if (why) keep(entry, law.whyKept(why.first, why.more));
	}
}

function stepsOf(entries: readonly Entry[]): Step[] {
	return entries.flatMap(({ todo }) => (typeof todo === 'object' ? todo : []));
}
