/*
 * Sync: makes the registrants of each session those of a list. Begin here. Nothing is remembered between runs.
 *
 *   law.ts           the people whom Sync may remove; to be read aloud
 *   readSessions.ts  reads the sessions and who is registered for them
 *   intent.ts        the intent for a row or a person; outcomes.ts: what became of it
 *   plan.ts          decides before anything is sent who is added, updated, removed or kept: all that a dry run shows
 *   removalGuard.ts  reads a session again before people are removed, and ends the removals where it has begun; platformTime.ts: by which clock
 *   steps.ts         carries out updates and removals, one request each
 *
 * ../people says which records and addresses are one person (identity.ts), which answers are to be changed (changes.ts,
 * sameAnswer.ts), who may be the same person (typingMistakes.ts), and changes one person (amend.ts).
 */
import type { Outcome, Preview } from '../people/outcome';
import type { Row } from '../people/registration';
import type { Forecast, Report } from '../bulk/report';
import { costOf, planJobs, shortage } from '../bulk/forecast';
import type { Cost } from '../bulk/meter';
import type { RunOptions } from '../bulk/runParts';
import { beginTotals, type RunTotals } from '../bulk/runTotals';
import { runBulk } from '../bulk/run';
import type { Usage } from '../client/usage';
import type { Reason } from '../people/reason';
import { phaseOf } from '../sessions/phase';
import { groupBy } from '../values/collections';
import { viewPerson, type PersonView } from '../records/personView';
import { fieldsOf } from '../records/simplify';
import { describeIntent, outcomeWithheld, withIntent, type Entry } from './intent';
import { Outcomes } from './outcomes';
import { holdBack, planSync, type Rules, type SyncPlan } from './plan';
import { readSessionsOfList, type SyncParts } from './readSessions';
import { Rewriting } from '../dialect/rewriting';
import { PlatformTime } from './platformTime';
import { RemovalGuard } from './removalGuard';
import { Steps } from './steps';

/** The options of a run, as people have set them. */
export interface SyncOptions extends Rules {
	/** Whether the run only shows the plan and its cost, and changes nothing. */
	isDryRun: boolean;
	/** The longest time for the run, from its first request. */
	maxWaitSeconds: number;
}

/** The facts that Sync tells besides the outcomes or previews of everybody. */
interface SyncDetails {
	/** The plan, as it was at the end of the run. */
	plan: SyncPlan;
	/** The reason why nothing was, or would be, sent. Absent: there is none. */
	reasonNotToBegin?: Reason;
	/** The habits of the platform that updates have shown. Absent: no updates were made. */
	rewriting?: Rewriting;
}

/** The outcomes of a list, or the previews of a dry run. */
export type SyncReport = (Report | Forecast) & SyncDetails;

/** Syncs sessions with a list, or shows what that would do. */
export async function runSync(
	list: readonly Row[],
	runParts: SyncParts,
	options: SyncOptions,
): Promise<SyncReport> {
	const time = new PlatformTime(runParts.clock);
	const parts = { ...runParts, api: time.hearing(runParts.api) };
	const { usage } = parts.api;
	const totals = beginTotals(parts, options.maxWaitSeconds);
	const { meter, view } = totals;
	const sessionsOfList = await readSessionsOfList(list, parts, meter, options);
	const { rows, sessions, stop, unreached } = sessionsOfList;
	const plan = planSync(rows, sessions, options, time.nowMs());
	const { entries } = plan;
	// The responses with the lists have just told how many requests are left of the month.
	const { requests } = costOfPlan(plan, usage);
	const reasonNotToBegin =
		sessionsOfList.reasonNotToBegin ??
		plan.reasonNotToBegin ??
		shortage(requests, usage.monthlyRemaining);
	const { answerColumns } = view;
	const report = { plan, reasonNotToBegin, stop, unreached, answerColumns };
	const describeAll = <Result extends Preview>(outcomeOf: (entry: Entry) => Result): Result[] =>
		entries.map((entry) => withPerson(entry, outcomeOf(entry), view));
	if (options.isDryRun) {
		const cost = costOfPlan(plan, usage, meter.spent());
		const outcomes = describeAll(({ intent }) => describeIntent(intent));
		return { ...report, ...cost, jobs: planJobs(plan.batches), outcomes };
	}
	const reason = stop ?? reasonNotToBegin;
	if (reason) {
		const outcomes = describeAll(({ intent }) => outcomeWithheld(intent, reason));
		return { ...report, ...meter.spent(), jobs: [], outcomes };
	}
	const { outcomes, ...work } = await carryOut(plan, parts, options, { ...totals, time });
	return {
		...report,
		...meter.spent(),
		...work,
		outcomes: describeAll((entry) => outcomes.outcomeOf(entry)),
	};
}

/** Adds to an outcome the part of the person's record that is shown: as the run has left the record, or else as it was read. */
function withPerson<Result extends Preview>(
	{ person }: Entry,
	outcome: Result,
	view: PersonView,
): Result {
	const shownPerson = outcome.person ?? (person && viewPerson(fieldsOf(person), view));
	return { ...outcome, changes: outcome.changes ?? [], person: shownPerson };
}

/** Computes the least that a plan costs, added to what was spent before. */
export function costOfPlan(
	{ entries, batches, sessions }: SyncPlan,
	usage: Pick<Usage, 'perSecond'>,
	spent?: Cost,
): Cost {
	const removals = withIntent(entries, 'remove');
	const steps = [...withIntent(entries, 'update'), ...removals];
	// Each session is read again before its removals, and on demand each person.
	const idsOfRereadSessions = groupBy(removals, ({ sessionId }) => sessionId).keys();
	const rereadSessions = [...idsOfRereadSessions].map((sessionId) => ({ sessionId }));
	const rereadPeople = removals.filter(
		({ sessionId }) => phaseOf(sessions.get(sessionId)?.session ?? {}) === 'onDemand',
	);
	// A batch costs two requests, which send it and read its results; each update and each removal costs one.
	return costOf(
		[...batches, ...batches, ...steps, ...rereadSessions, ...rereadPeople],
		usage,
		spent,
	);
}

/** The work that a run has done. */
interface WorkDone extends Pick<Report, 'jobs' | 'stop' | 'leftOut'> {
	outcomes: Outcomes;
	/** The habits of the platform that the updates have shown. */
	rewriting: Rewriting;
}

/** Carries a plan out. Additions come first, and removals last and only from sessions without doubt, so that a run that ends early has removed nobody. */
async function carryOut(
	plan: SyncPlan,
	parts: SyncParts,
	options: SyncOptions,
	{ time, ...totals }: RunTotals & { readonly time: PlatformTime },
): Promise<WorkDone> {
	const outcomes = new Outcomes();
	const { jobs, stop, leftOut } = await addPeople(plan, outcomes, parts, options, totals);
	// The outcomes of the additions may speak against removals from their session.
	holdBack(plan, options, outcomes, time.nowMs());
	const rewriting = new Rewriting();
	const guard = new RemovalGuard(plan.sessions, parts, time);
	const steps = new Steps(parts, totals, guard, rewriting, outcomes, stop);
	await steps.updateAll(plan.entries);
	await steps.removeAll(plan.entries);
	return { outcomes, jobs, leftOut, rewriting, stop: steps.stop };
}

/** The outcome that keeps the bulk registration from sending people who are not to be added. */
const leftAlone: Outcome = { status: 'unchanged', reasons: [] };

/** Adds everybody who is to be added, as a bulk registration does. */
async function addPeople(
	{ entries, batches, firstOf }: SyncPlan,
	outcomes: Outcomes,
	parts: SyncParts,
	{ maxWaitSeconds }: SyncOptions,
	totals: RunTotals,
): Promise<Pick<Report, 'jobs' | 'stop' | 'leftOut'>> {
	if (batches.length === 0) return { jobs: [] };
	const isAdded = ({ intent }: Entry) => intent.kind === 'add';
	// A person who has an outcome is not sent. Sync does not use this outcome.
	const outcomesOfOthers = entries.map((entry) => (isAdded(entry) ? undefined : leftAlone));
	const options: RunOptions = { maxWaitSeconds, needsResults: true, mayDivide: true };
	const bulk = { people: entries, batches, firstOf, outcomes: outcomesOfOthers };
	const report = await runBulk(bulk, parts, options, totals);
	for (const entry of entries.filter(isAdded)) {
		const outcome = report.outcomes[entry.index];
		if (outcome?.status === 'registered') outcomes.record(entry, { ...outcome, status: 'added' });
		else if (outcome) outcomes.record(entry, outcome);
	}
	return { jobs: report.jobs, stop: report.stop, leftOut: report.leftOut };
}
