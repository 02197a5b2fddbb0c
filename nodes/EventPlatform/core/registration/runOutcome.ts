import type { YieldIfDue } from '../client/clock';
import type { Failure } from '../client/failure';
import { describeCost, type Cost } from '../client/usage';
import { groupBy } from '../values/collections';
import { replaceAddresses, thousands } from '../values/text';
import type { JsonObject } from '../values/json';
import {
	everyStatus,
	statuses,
	traitsOfStatus,
	type Outcome,
	reasonOf,
	type Reason,
} from '../people/outcome';
import { correctOutcome, type Batch, type Candidate, type PersonOutcome } from './candidate';
import type { SentJob } from './jobReader';

/** What a run came to, or what a dry run foretells. */
export interface RunOutcome extends Cost {
	readonly people: readonly PersonOutcome[];
	/** The jobs that the platform has accepted, or the batches that would become one each. */
	readonly jobs: ReadonlyArray<Batch | SentJob>;
	readonly stop?: Reason;
	/**
	 * The failure with which the node fails where nobody was sent: the platform has never responded, or Sync could not read its
	 * sessions and who is registered for them. Any other end of a run is told by the outcomes of its people.
	 */
	readonly failureOfRun?: Failure;
	/** Why nothing was sent, or nothing would be. */
	readonly reasonNotToBegin?: Reason;
}

/** Ends a run: who has no outcome gets this one. */
export function withOutcomes(candidates: readonly Candidate[], missing: Outcome): PersonOutcome[] {
	return candidates.map((candidate) => correctOutcome(candidate, candidate.outcome ?? missing));
}

export function outcomesOf({ people }: Pick<RunOutcome, 'people'>): Outcome[] {
	return people.map(({ outcome }) => outcome);
}

type Counts = Partial<Record<string, number>>;

export function countStatuses(outcomes: ReadonlyArray<{ status: string }>): Counts {
	const counts: Counts = {};
	for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
	return counts;
}

interface FruitlessRun {
	/** How many people have which status. */
	inWords: string;
	reason: string;
}

/** Undefined for a run that has done something for somebody, or may have. */
export function fruitlessRun(
	outcomes: ReadonlyArray<Pick<Outcome, 'status'>>,
	{ reason, count }: SharedReason = { reason: '', count: 0 },
): FruitlessRun | undefined {
	const isFruitless = outcomes.every(({ status }) => traitsOfStatus[status].isFruitless);
	if (outcomes.length === 0 || !isFruitless) return undefined;
	const inWords = countsInWords(countStatuses(outcomes)).join(', ');
	const shareInWords = `${thousands(count)} of ${thousands(outcomes.length)}: `;
	return { inWords, reason: `${outcomes.length > 1 ? shareInWords : ''}${reason}` };
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
	outcomes: ReadonlyArray<Pick<Outcome, 'reasons'>>,
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
export function headline(counts: Counts, cost: Cost): string {
	return [...countsInWords(counts), describeCost(cost)].join(', ');
}

/** Writes the headline of a dry run, such as "56 valid, 4 invalid. It would take about 4 requests and 1 s. Nothing was sent." */
export function headlineOfPlan(counts: Counts, cost: Cost): string {
	const wouldTake = describeCost(cost, ' and ');
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
	runOutcome: RunOutcome,
	statusNames: readonly string[] = statuses,
): SessionSummary[] {
	const bySession = groupBy(runOutcome.people, ({ row }) => row.sessionId);
	const jobs = groupBy(runOutcome.jobs, ({ sessionId }) => sessionId);
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
