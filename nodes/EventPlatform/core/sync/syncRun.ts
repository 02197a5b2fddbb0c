/*
 * Sync: makes the registrants of each session those of a list. Begin here. Nothing is remembered between runs.
 *
 *   removalLaw.ts    who may be removed, and what keeps everybody else; to be read aloud
 *   readSessions.ts  reads the sessions and who is registered for them
 *   registered.ts    somebody who is registered, with what is read of the record later
 *   intent.ts        a candidate of the run with an intent, and how it is told
 *   plan.ts          decides before anything is sent who is added, updated, removed or kept: all that a dry run shows
 *   doubts.ts        keeps people of a session about which something is in doubt, before and after additions
 *   steps.ts         takes updates and removals, several at once, as bulk registration asks the platform
 *   removals.ts      carries removals out, and reads each session again, so that nobody goes from one that has begun
 *
 * ../people says which addresses a person has (identity.ts), which answers are to be changed (changes.ts), who may be the
 * same person (typingMistakes.ts), and changes or removes one person (amend.ts, removal.ts).
 */
import { outcomeWithoutAnswer } from '../people/conclusion';
import { notConfirmed, type Change, type Outcome } from '../people/outcome';
import { amend } from '../people/amend';
import { costSoFar, endingAt } from '../client/run';
import { asFailure, Failure } from '../client/failure';
import { concernsOthers } from '../failures/meaning';
import { viewRecord } from '../records/recordView';
import { fieldsOf } from '../records/simplify';
import type { Row } from '../people/registration';
import type { RunOutcome } from '../registration/runOutcome';
import { costOf, requestsFor, shortage } from '../registration/bulkPlan';
import type { RegistrationRun } from '../registration/registrationRun';
import { Carrier } from '../registration/carrier';
import { correctOutcome, setOutcome, type PersonOutcome } from '../registration/candidate';
import { runBulk } from '../registration/bulkRun';
import type { Cost, Usage } from '../client/usage';
import { createYielder, type YieldIfDue } from '../client/clock';
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
import { sessionFreshMs, Removals, timeLeft } from './removals';
import { takeAll, type SyncStep } from './steps';
import type { Seconds } from '../values/units';

export interface SyncOptions extends Rules {
	isDryRun: boolean;
	maxWaitSeconds: Seconds;
}

export interface SyncOutcome extends RunOutcome {
	readonly plan: SyncPlan;
}

export async function runSync(
	list: readonly Row[],
	begun: RegistrationRun,
	options: SyncOptions,
): Promise<SyncOutcome> {
	const { clock } = begun;
	const run = endingAt(begun, clock.now() + options.maxWaitSeconds * 1_000);
	const { usage } = run.client;
	const yieldIfDue = createYielder(clock);
	const { candidates, sessions, stop, failureOfRun } = await readSessionsOfList(list, run, options);
	const plan = await planSync(candidates, sessions, options, {
		time: timeLeft(run),
		yieldIfDue,
	});
	// The responses with the lists have just told how many requests are left of the month.
	const { requests } = costOfPlan(plan, usage);
	const reasonNotToBegin =
		plan.reasonNotToBegin ?? shortage(requests, usage.month.monthlyRemaining);
	const end = { plan, reasonNotToBegin, stop, failureOfRun };
	if (options.isDryRun) {
		const cost = costOfPlan(plan, usage, costSoFar(run));
		const people = await describeAll(plan, yieldIfDue, describePlanned);
		return { ...end, ...cost, jobs: plan.batches, people };
	}
	const reason = stop ?? reasonNotToBegin;
	if (reason) {
		const withheld = (candidate: SyncCandidate) => outcomeWithheld(candidate, reason);
		const people = await describeAll(plan, yieldIfDue, withheld);
		return { ...end, ...costSoFar(run), jobs: [], people };
	}
	const work = await carryOut(plan, run, options);
	const people = await describeAll(plan, yieldIfDue, outcomeOf);
	return { ...end, ...costSoFar(run), ...work, people };
}

/** Gives each candidate its outcome, with the part of the person's record that is shown: as the run has left it, or else as it was read. */
async function describeAll(
	{ candidates }: SyncPlan,
	yieldIfDue: YieldIfDue,
	describe: (candidate: SyncCandidate) => Outcome,
): Promise<PersonOutcome[]> {
	const people: PersonOutcome[] = [];
	for (const candidate of candidates) {
		await yieldIfDue();
		const outcome = describe(candidate);
		const { changes = noChanges, person = candidate.person?.visible } = outcome;
		people.push(correctOutcome(candidate, { ...outcome, changes, person }));
	}
	return people;
}

const noChanges: readonly Change[] = [];

function costOfPlan(
	{ candidates, batches }: SyncPlan,
	usage: Pick<Usage, 'perSecond'>,
	spent?: Cost,
): Cost {
	const removals = withIntent(candidates, 'remove');
	const steps = withIntent(candidates, 'update').length + removals.length;
	// Each session is read again before its removals. A reading serves the removals that leave while it is fresh, and those that
	// have asked for their turn by then.
	const removalsPerReading = (usage.perSecond * sessionFreshMs) / 1_000 + usuallyAtOnce;
	const readings = [...groupBy(removals, ({ row }) => row.sessionId).values()].reduce(
		(sum, people) => sum + Math.ceil(people.length / removalsPerReading),
		0,
	);
	// Each update and each removal costs one, unless a response does not show what was done.
	const toSend = requestsFor({ batches }, true) + steps + readings;
	return costOf(toSend, usage, spent?.requests);
}

type WorkDone = Pick<RunOutcome, 'jobs' | 'stop'>;

/** Carries a plan out. Additions come first, and removals last and only from sessions without doubt, so that a run that ends early has removed nobody. */
async function carryOut(
	plan: SyncPlan,
	run: RegistrationRun,
	{ mayRemoveDespiteProblems }: SyncOptions,
): Promise<WorkDone> {
	const { candidates } = plan;
	const { jobs, stop } = await addPeople(plan, run);
	for (const [candidate, reason] of reasonsAfterAdditions(candidates, mayRemoveDespiteProblems)) {
		setOutcome([candidate], outcomeOfKept(reason));
	}
	const carrier = new Carrier(run);
	const update = (candidate: CandidateTo<'update'>) => updateFor(candidate, run, carrier);
	const removals = new Removals(run, carrier);
	const remove = (candidate: CandidateTo<'remove'>) => removals.attemptFor(candidate);
	try {
		// Additions that stopped altogether stop the other steps of all sessions: nobody is removed where people of the list may be missing.
		if (stop) carrier.line.stop({ reason: stop });
		// An update is left to the client's attempts: `amend` has read what became of it, and the next run makes it. A removal that is not
		// certain would be told as `unknown`, so it is made again.
		await takeAll(withIntent(candidates, 'update'), run, carrier, update, 'askOnce');
		const toRemove = withIntent(candidates, 'remove').filter(({ outcome }) => !outcome);
		await takeAll(toRemove, run, carrier, remove, 'askPatiently');
	} finally {
		carrier.close();
	}
	return { jobs, stop: carrier.line.reasonToStop({}) };
}

function updateFor(
	{ row, person, intent: { changes } }: CandidateTo<'update'>,
	{ view, sessions }: RegistrationRun,
	carrier: Carrier,
): SyncStep {
	const { sessionId, registration } = row;
	const amendment = { sessionId, person: { id: person.id }, registration, changes };
	return async (recordLost) => {
		const amended = await amend(carrier.ask, amendment).catch(asFailure);
		if (amended instanceof Failure) {
			// Thrown, it would end the session: but a person who is not there any more says nothing about the others.
			if (amended.cause !== 'not_found') throw amended;
			const attempts = { isLost: false, failure: amended, reason: carrier.reasonOf(amended) };
			return outcomeWithoutAnswer('change', attempts, sessions);
		}
		if (amended.kind === 'unconfirmed') {
			const { failure } = amended;
			recordLost();
			if (concernsOthers(failure)) throw failure;
			return notConfirmed(carrier.reasonOf(failure));
		}
		const outcome: Outcome =
			amended.kind === 'made' ? { status: 'updated', changes, reasons: [] } : amended.outcome;
		return { ...outcome, person: viewRecord(fieldsOf(amended.person), view) };
	};
}

async function addPeople(
	{ candidates, batches }: SyncPlan,
	run: RegistrationRun,
): Promise<WorkDone> {
	if (batches.length === 0) return { jobs: [] };
	const options = { needsResults: true, mayDivide: true };
	const additions = withIntent(candidates, 'add');
	const runOutcome = await runBulk({ candidates: additions, batches }, run, options);
	for (const addition of additions) {
		const { outcome } = addition;
		if (outcome?.status === 'registered') correctOutcome(addition, { ...outcome, status: 'added' });
	}
	return { jobs: runOutcome.jobs, stop: runOutcome.stop };
}
