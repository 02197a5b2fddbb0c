/*
 * Sync: makes the registrants of each session those of a list. Begin here. Nothing is remembered between runs.
 *
 *   law.ts         whom it may remove; to be read aloud
 *   readSessions.ts  reads the sessions and who is registered for them
 *   plan.ts        who is added, updated, removed or kept, before anything is sent: all that a dry run shows
 *   readAgain.ts   keeps everybody of a session that has begun since the run did
 *   steps.ts       carries out updates and removals, one request each
 *
 * ../people says which records and addresses are one person (identity.ts), which answers are to be changed (changes.ts,
 * sameAnswer.ts), who may be the same person (typingMistakes.ts), and changes one person (amend.ts).
 */
import { notSent, type Outcome, type Status } from '../people/outcome';
import type { Row } from '../people/row';
import type { Report } from '../bulk/report';
import { costOf, plannedJobs, shortage } from '../bulk/forecast';
import { createMeter, type Cost, type Meter } from '../bulk/meter';
import { runBulk } from '../bulk/run';
import type { Usage } from '../client/usage';
import type { Reason } from '../people/reason';
import { groupBy } from '../values/collections';
import { viewPerson } from '../records/personView';
import { fieldsOf } from '../records/simplify';
import type { Entry } from './law';
import { setOutcome, holdBack, planSync, withStatus, type Rules, type SyncPlan } from './plan';
import { readSessionsOfList, type SyncParts } from './readSessions';
import { Rewriting } from '../dialect/rewriting';
import { keepPeopleOfBegunSessions } from './readAgain';
import { Steps } from './steps';

export interface SyncOptions extends Rules {
	/** Nothing is sent: the plan and its cost. */
	rehearses: boolean;
	maxWaitSeconds: number;
}

export interface SyncReport extends Report {
	plan: SyncPlan;
	/** Why nothing was, or would be, sent. */
	refusal?: Reason;
	/** The habits of the platform that updates have shown; absent where none were made. */
	rewriting?: Rewriting;
}

export const inDryRun: Partial<Record<Status, Status>> = {
	added: 'would_add',
	updated: 'would_update',
	removed: 'would_remove',
};

export async function runSync(
	list: readonly Row[],
	parts: SyncParts,
	options: SyncOptions,
): Promise<SyncReport> {
	const { usage } = parts.api;
	const { clock } = parts;
	const meter = createMeter(parts, options.maxWaitSeconds);
	const read = await readSessionsOfList(list, parts, meter, options);
	const { rows, sessions, stop, unreached } = read;
	const plan = planSync(rows, sessions, options, clock.now());
	const { people } = plan;
	// The lists have just told what is left of the month.
	const { requests } = costOfPlan(plan, usage);
	const refusal = read.refusal ?? plan.refusal ?? shortage(requests, usage.monthlyRemaining);
	const report = { plan, refusal, jobs: [], stop, unreached };
	const told = () => people.map((one) => outcomeOf(one, parts, options));
	if (options.rehearses) {
		const cost = costOfPlan(plan, usage, meter.spent());
		return { ...report, ...cost, jobs: plannedJobs(plan.batches), outcomes: told() };
	}
	const whyNot = stop ?? refusal;
	if (whyNot) withhold(people, whyNot);
	const done = whyNot ? {} : await carryOut(plan, parts, options, meter);
	return { ...report, ...meter.spent(), ...done, outcomes: told() };
}

/** As it is, or would be, with what is shown of the record. */
function outcomeOf(
	{ outcome, person }: Entry,
	{ view = {} }: SyncParts,
	{ rehearses }: SyncOptions,
): Outcome {
	const status = (rehearses && inDryRun[outcome.status]) || outcome.status;
	return {
		...outcome,
		status,
		person: outcome.person ?? (person && viewPerson(fieldsOf(person), view)),
	};
}

export function costOfPlan(
	{ people, batches }: SyncPlan,
	usage: Pick<Usage, 'perSecond'>,
	spent?: Cost,
): Cost {
	const removals = withStatus(people, 'removed');
	const steps = [...withStatus(people, 'updated'), ...removals];
	const readAgain = groupBy(removals, ({ sessionId }) => sessionId).keys();
	const sessions = [...readAgain].map((sessionId) => ({ sessionId }));
	// To add people and to read their results, one for each who is changed or removed, and one for each session that somebody
	// is removed from, which is read again before.
	return costOf([...batches, ...batches, ...steps, ...sessions], usage, spent);
}

/** The month, or what the list would remove, forbids it: nothing is sent. */
function withhold(people: readonly Entry[], whyNot: Reason): void {
	for (const entry of people) {
		const { status } = entry.outcome;
		if (status === 'removed') setOutcome(entry, { status: 'kept', errors: [whyNot] });
		else if (inDryRun[status]) setOutcome(entry, notSent(whyNot));
	}
}

/** Additions first, removals last and only of sessions without doubt: a run that ends early has taken nobody away. */
async function carryOut(plan: SyncPlan, parts: SyncParts, options: SyncOptions, meter: Meter) {
	const { jobs, stop } = await add(plan, parts, options, meter);
	// The outcomes of the additions may speak against removals from their session.
	holdBack(plan, options, parts.clock.now());
	const rewriting = new Rewriting();
	const steps = new Steps(parts, meter, rewriting, stop);
	await steps.updateAll(plan.people);
	if (!steps.stop) await keepPeopleOfBegunSessions(plan, parts, meter);
	await steps.removeAll(plan.people);
	return { jobs, rewriting, stop: steps.stop };
}

async function add(plan: SyncPlan, parts: SyncParts, options: SyncOptions, meter: Meter) {
	const { people, batches } = plan;
	if (batches.length === 0) return { jobs: [] };
	const additions = withStatus(people, 'added');
	const others = people.map(({ outcome }) => (outcome.status === 'added' ? undefined : outcome));
	const bulk = { ...plan, outcomes: others };
	const waiting = { ...options, needsResults: true, mayDivide: true };
	const { outcomes, jobs, stop } = await runBulk(bulk, parts, waiting, meter);
	for (const entry of additions) {
		entry.isSent = true;
		const outcome = outcomes[entry.index] ?? entry.outcome;
		// The planned reasons may say whose second address it may be, so they are kept.
		const { errors } = entry.outcome;
		const isAdded = outcome.status === 'registered';
		setOutcome(entry, isAdded ? { ...outcome, status: 'added', errors } : outcome);
	}
	return { jobs, stop };
}
