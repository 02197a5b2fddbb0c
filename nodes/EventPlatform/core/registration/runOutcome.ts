import type { YieldIfDue } from '../client/clock';
import type { Failure } from '../client/failure';
import { describeUsage, type Usage } from '../client/usage';
import { groupBy } from '../values/collections';
import { replaceAddresses, thousands } from '../values/text';
import type { JsonObject } from '../values/json';
import {
	everyStatus,
	statuses,
	traitsOfStatus,
	type Outcome,
	type Preview,
	reasonOf,
	type Reason,
} from '../people/outcome';
import type { Row } from '../people/registration';
import type { Candidate } from './candidate';
import type { PlannedJob, SentJob } from './job';
import type { Seconds } from '../values/units';

export interface Cost {
	requests: number;
	seconds: Seconds;
}

interface RunEnd extends Cost {
	stop?: Reason;
	unreached?: Failure;
}

export interface PersonOutcome<Result extends Preview = Preview> {
	readonly row: Row;
	/** The number of the row in the list, counted from 1. Absent: the person is not on the list. */
	readonly rowNumber?: number;
	readonly outcome: Result;
	/** The person of the earlier row that this one repeats. Absent: no earlier row has the person. */
	readonly first?: PersonOutcome<Result>;
}

export interface RunOutcome extends RunEnd {
	people: ReadonlyArray<PersonOutcome<Outcome>>;
	jobs: readonly SentJob[];
}

export interface Forecast extends RunEnd {
	people: readonly PersonOutcome[];
	jobs: readonly PlannedJob[];
}

export function withOutcomes<Result extends Preview>(
	candidates: readonly Candidate[],
	outcomeOf: (candidate: Candidate) => Result,
): Array<PersonOutcome<Result>> {
	const record = outcomeRecorder<Result>();
	return candidates.map((candidate) => record(candidate, outcomeOf(candidate)));
}

type OutcomeRecorder<Result extends Preview> = (
	candidate: Candidate,
	outcome: Result,
) => PersonOutcome<Result>;

/** Outcomes are recorded one after the other, in the order of the list, so that the person whom a row repeats is found. */
export function outcomeRecorder<Result extends Preview>(): OutcomeRecorder<Result> {
	const recordedOf = new Map<Candidate, PersonOutcome<Result>>();
	return (candidate, outcome) => {
		const first = candidate.first && recordedOf.get(candidate.first);
		const person = { row: candidate.row, rowNumber: candidate.rowNumber, outcome, first };
		recordedOf.set(candidate, person);
		return person;
	};
}

export function outcomesOf<Result extends Preview>({
	people,
}: {
	readonly people: ReadonlyArray<PersonOutcome<Result>>;
}): Result[] {
	return people.map(({ outcome }) => outcome);
}

type Counts = Partial<Record<string, number>>;

export function countStatuses(outcomes: ReadonlyArray<{ status: string }>): Counts {
	const counts: Counts = {};
	for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
	return counts;
}

interface FruitlessRun {
	message: string;
	reason: string;
}

export function nobodyRegistered(
	outcomes: ReadonlyArray<Pick<Preview, 'status'>>,
	{ reason, count }: SharedReason = { reason: '', count: 0 },
): FruitlessRun | undefined {
	const isFruitless = outcomes.every(({ status }) => traitsOfStatus[status].isFruitless);
	if (outcomes.length === 0 || !isFruitless) return undefined;
	const counts = countStatuses(outcomes);
	// Whom Sync keeps is registered.
	const inWords = countsInWords(counts).join(', ');
	const message =
		counts.kept === undefined
			? `Nobody was registered: ${inWords}`
			: `Nobody was added or updated: ${inWords}`;
	const shareInWords = `${thousands(count)} of ${thousands(outcomes.length)}: `;
	return { message, reason: `${outcomes.length > 1 ? shareInWords : ''}${reason}` };
}

export interface SharedReason {
	reason: string;
	count: number;
}

interface AlikeReasons {
	readonly example: string;
	isSame: boolean;
	count: number;
}

/** Undefined where none has a reason. */
export async function mostFrequentReason(
	outcomes: ReadonlyArray<Pick<Preview, 'reasons'>>,
	yieldIfDue: YieldIfDue,
): Promise<SharedReason | undefined> {
	const alike = new Map<string, AlikeReasons>();
	for (const { reasons } of outcomes) {
		await yieldIfDue();
		const reason = reasonOf(reasons);
		if (reason === undefined) continue;
		const withoutAddresses = replaceAddresses(reason, 'the address');
		const group = alike.get(withoutAddresses) ?? { example: reason, isSame: true, count: 0 };
		alike.set(withoutAddresses, group);
		group.count += 1;
		group.isSame &&= reason === group.example;
	}
	const [largest] = [...alike.values()].sort((a, b) => b.count - a.count);
	if (!largest) return undefined;
	const { example, isSame, count } = largest;
	// Without its addresses a sentence about two of them says nothing.
	return { reason: isSame ? example : `${example} The others are alike.`, count };
}

/** Writes the headline of a run, such as "4,970 registered, 20 already registered, 10 failed, 202 requests, 41 s". */
export function headline(counts: Counts, usage: Pick<Usage, 'requests'>, seconds: Seconds): string {
	return [...countsInWords(counts), describeUsage(usage, seconds)].join(', ');
}

/** Writes the headline of a dry run, such as "56 valid, 4 invalid. It would take about 4 requests and 1 s. Nothing was sent." */
export function headlineOfPlan(counts: Counts, requests: number, seconds: Seconds): string {
	const wouldTake = describeUsage({ requests }, seconds, ' and ');
	return `${countsInWords(counts).join(', ')}. It would take about ${wouldTake}. Nothing was sent.`;
}

function countsInWords(counts: Counts): string[] {
	return everyStatus.flatMap((status) => {
		const count = counts[status] ?? 0;
		const words = traitsOfStatus[status].inWords ?? status.replaceAll('_', ' ');
		return count === 0 ? [] : [`${thousands(count)} ${words}`];
	});
}

interface SessionSummary {
	people: readonly PersonOutcome[];
	sessionId: string;
	record: JsonObject;
}

export function summarize(
	runOutcome: RunOutcome | Forecast,
	statusNames: readonly string[] = statuses,
): SessionSummary[] {
	const bySession = groupBy<PersonOutcome>(runOutcome.people, ({ row }) => row.sessionId);
	const jobs = groupBy<SentJob | PlannedJob>(runOutcome.jobs, ({ sessionId }) => sessionId);
	return [...bySession].map(([sessionId, people]) => {
		const counts = countStatuses(outcomesOf({ people }));
		const record: JsonObject = {
			total: people.length,
			...(counts.valid && { valid: counts.valid }),
			...Object.fromEntries(statusNames.map((status) => [status, counts[status] ?? 0])),
			jobs: jobs.get(sessionId)?.length ?? 0,
			// What several sessions have cost cannot be told apart: one request may be about all of them.
			requests: runOutcome.requests,
			seconds: runOutcome.seconds,
		};
		return { people, sessionId, record };
	});
}
