/*
 * Sync: makes the registrants of each session those of a list. Begin here. Nothing is remembered between runs.
 *
 *   law.ts           the people whom Sync may remove; to be read aloud
 *   readSessions.ts  reads the sessions and who is registered for them
 *   registered.ts    somebody who is registered, with what is read of the record later
 *   intent.ts        a candidate of the run with an intent, and how it is told
 *   plan.ts          decides before anything is sent who is added, updated, removed or kept: all that a dry run shows
 *   doubts.ts        keeps people of a session about which something is in doubt, before and after additions
 *   steps.ts         takes updates and removals, one request each, until something ends the run
 *   removals.ts      removes people, and reads their session again, so that nobody goes from one that has begun
 *
 * ../people says which addresses a person has (identity.ts), which answers are to be changed (changes.ts,
 * sameAnswer.ts), who may be the same person (typingMistakes.ts), and changes or removes one person (amend.ts, removal.ts).
 */
import type { Outcome, Preview, Reason } from '../people/outcome';
import { amend } from '../people/amend';
import type { Ask } from '../client/request';
import { endingAt, platformNowMs } from '../client/run';
import type { Failure } from '../client/failure';
import { viewPerson, type PersonView } from '../records/recordView';
import { fieldsOf } from '../records/simplify';
import type { Row } from '../people/registration';
import {
	personReporter,
	type Cost,
	type Forecast,
	type Report,
	type PersonOutcome,
} from '../registration/report';
import { costOf, costSoFar, planJobs, shortage } from '../registration/plan';
import type { RegistrationRun } from '../registration/registrationRun';
import { Outage } from '../registration/outage';
import { setOutcome } from '../registration/candidate';
import { runBulk } from '../registration/run';
import type { Usage } from '../client/usage';
import { createYielder, type YieldIfDue } from '../client/clock';
import { phaseOf } from '../sessions/phase';
import { groupBy } from '../values/collections';
import { usuallyAtOnce } from '../client/concurrently';
import { reasonsAfterAdditions } from './doubts';
import {
	describePlanned,
	outcomeOf,
	outcomeOfKept,
	outcomeWithheld,
	withIntent,
	type CandidateTo,
	type SyncCandidate,
} from './intent';
import { planSync, type Rules, type SyncPlan } from './plan';
import { readSessionsOfList } from './readSessions';
import { freshMs, Removals } from './removals';
import { Steps } from './steps';

export interface SyncOptions extends Rules {
	isDryRun: boolean;
	maxWaitSeconds: number;
}

interface SyncDetails {
	plan: SyncPlan;
	reasonNotToBegin?: Reason;
}

export type SyncReport = (Report | Forecast) & SyncDetails;

export async function runSync(
	list: readonly Row[],
	begun: RegistrationRun,
	options: SyncOptions,
): Promise<SyncReport> {
	const { clock, sessions: cache } = begun;
	const outage = new Outage(clock, cache);
	const run = outage.watching(endingAt(begun, clock.now() + options.maxWaitSeconds * 1_000));
	const { usage } = run.client;
	const yieldIfDue = createYielder(clock);
	const sessionsOfList = await readSessionsOfList(list, run, outage, options);
	const { candidates, sessions, stop, unreached } = sessionsOfList;
	const plan = await planSync(candidates, sessions, options, {
		nowMs: platformNowMs(run),
		yieldIfDue,
	});
	// The responses with the lists have just told how many requests are left of the month.
	const { requests } = costOfPlan(plan, usage);
	const reasonNotToBegin =
		sessionsOfList.reasonNotToBegin ??
		plan.reasonNotToBegin ??
		shortage(requests, usage.monthlyRemaining);
	const report = { plan, reasonNotToBegin, stop, unreached };
	if (options.isDryRun) {
		const cost = costOfPlan(plan, usage, costSoFar(run));
		const people = await describeAll(plan, yieldIfDue, describePlanned);
		return { ...report, ...cost, jobs: planJobs(plan.batches), people };
	}
	const reason = stop ?? reasonNotToBegin;
	if (reason) {
		const withheld = (candidate: SyncCandidate) => outcomeWithheld(candidate, reason);
		const people = await describeAll(plan, yieldIfDue, withheld);
		return { ...report, ...costSoFar(run), jobs: [], people };
	}
	const work = await carryOut(plan, run, options, outage);
	const people = await describeAll(plan, yieldIfDue, outcomeOf);
	return { ...report, ...costSoFar(run), ...work, people };
}

/** Reports the outcome or the preview of each candidate, with the part of the person's record that is shown: as the run has left it, or else as it was read. */
async function describeAll<Result extends Preview>(
	{ candidates }: SyncPlan,
	yieldIfDue: YieldIfDue,
	describe: (candidate: SyncCandidate) => Result,
): Promise<Array<PersonOutcome<Result>>> {
	const people: Array<PersonOutcome<Result>> = [];
	const report = personReporter<Result>();
	for (const candidate of candidates) {
		await yieldIfDue();
		const result = describe(candidate);
		const person = result.person ?? candidate.person?.visible;
		people.push(report(candidate, { ...result, changes: result.changes ?? [], person }));
	}
	return people;
}

function costOfPlan(
	{ candidates, batches, sessions }: SyncPlan,
	usage: Pick<Usage, 'perSecond'>,
	spent?: Cost,
): Cost {
	const removals = withIntent(candidates, 'remove');
	const steps = withIntent(candidates, 'update').length + removals.length;
	// Each session is read again before its removals, and on demand each person. A reading serves the removals that leave while it is
	// fresh, and those that have asked for their turn by then.
	const removalsPerReading = (usage.perSecond * freshMs) / 1_000 + usuallyAtOnce;
	const readings = [...groupBy(removals, ({ row }) => row.sessionId).values()].reduce(
		(sum, people) => sum + Math.ceil(people.length / removalsPerReading),
		0,
	);
	const rereadPeople = removals.filter(
		({ row }) => phaseOf(sessions.get(row.sessionId)?.session ?? {}) === 'onDemand',
	);
	// A batch costs two requests, which send it and read its results. Each update and each removal costs one, unless a response does not show what was done.
	const toSend = 2 * batches.length + steps + readings + rereadPeople.length;
	return costOf(toSend, usage, spent?.requests);
}

type WorkDone = Pick<Report, 'jobs' | 'stop'>;

/** Carries a plan out. Additions come first, and removals last and only from sessions without doubt, so that a run that ends early has removed nobody. */
async function carryOut(
	plan: SyncPlan,
	run: RegistrationRun,
	{ mayRemoveDespiteDoubt }: SyncOptions,
	outage: Outage,
): Promise<WorkDone> {
	const { candidates } = plan;
	const { jobs, stop } = await addPeople(plan, run);
	for (const [candidate, reason] of reasonsAfterAdditions(candidates, mayRemoveDespiteDoubt)) {
		setOutcome([candidate], outcomeOfKept(reason));
	}
	const steps = new Steps(run, outage, stop);
	await steps.takeAll(withIntent(candidates, 'update'), (ask, candidate) =>
		updatePerson(ask, candidate, run.view),
	);
	const removals = new Removals(plan.sessions, run, outage);
	const toRemove = withIntent(candidates, 'remove').filter(({ outcome }) => !outcome);
	await steps.takeAll(toRemove, (ask, candidate) => removals.remove(ask, candidate));
	return { jobs, stop: steps.stop };
}

async function updatePerson(
	ask: Ask,
	{ row, person: { id }, intent: { changes } }: CandidateTo<'update'>,
	view?: PersonView,
): Promise<Outcome | Failure> {
	const { sessionId, registration } = row;
	const amended = await amend(ask, { sessionId, person: { id }, registration, changes });
	if (amended.kind === 'unconfirmed') return amended.failure;
	const outcome: Outcome =
		amended.kind === 'made' ? { status: 'updated', changes, reasons: [] } : amended.outcome;
	return { ...outcome, person: viewPerson(fieldsOf(amended.person), view) };
}

async function addPeople(
	{ candidates, batches }: SyncPlan,
	run: RegistrationRun,
): Promise<WorkDone> {
	if (batches.length === 0) return { jobs: [] };
	const options = { needsResults: true, mayDivide: true };
	const additions = withIntent(candidates, 'add');
	const report = await runBulk({ candidates: additions, batches }, run, options);
	for (const addition of additions) {
		const { outcome } = addition;
		if (outcome?.status === 'registered') addition.outcome = { ...outcome, status: 'added' };
	}
	return { jobs: report.jobs, stop: report.stop };
}
