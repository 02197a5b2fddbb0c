import { isGeneratedAddress } from '../dialect/publicEvents';
import { assign, outcomeLeftOpen } from './assign';
import type { JobPeople } from './jobPeople';
import type { TaskResult } from './taskResult';
import { setOutcome, type Candidate } from './candidate';
import type { Job } from './job';
import { outcomeOfListed, type EmailUsesShown } from './lostAnswer';
import { ownReason, type Outcome } from '../people/outcome';
import type { ListedPerson } from '../people/findPeople';

export interface OpenOutcome {
	readonly job: Job;
	readonly people: readonly Candidate[];
	readonly results: TaskResult[];
}

export class Ledger implements EmailUsesShown {
	readonly jobs: Job[] = [];
	readonly openOutcomes: OpenOutcome[] = [];
	readonly publicSessions = new Set<string>();
	readonly sessionsThatKeepEmails = new Set<string>();
	/** The ids of the sessions of each job, by the id of the job, because some platforms give the same id to two jobs. */
	private readonly sessionIdsOfJob = new Map<string, string[]>();

	recordJob(job: Job): void {
		this.jobs.push(job);
		const sessionIds = this.sessionIdsOfJob.get(job.id) ?? [];
		this.sessionIdsOfJob.set(job.id, [...sessionIds, job.sessionId]);
	}

	/** Records the outcomes of the people of a job that is over. Gives the results that are certainly of this job. */
	recordResults(job: Job, results: TaskResult[]): TaskResult[] {
		const { people, sessionId } = job;
		const sessionIds = this.sessionIdsOfJob.get(job.id) ?? [];
		// An address names a person within one session only, so results that may be of another session are not used.
		const ownResults = sessionIds.every((id) => id === sessionId) ? results : [];
		const addresses = people.map(({ address }) => address);
		const hasGeneratedAddress = ownResults.some(({ email = '' }) => isGeneratedAddress(email));
		const hasSentAddress = ownResults.some(
			({ email = '', isNoRegistrant }) => !isNoRegistrant && addresses.includes(email),
		);
		if (hasGeneratedAddress) this.publicSessions.add(sessionId);
		if (hasSentAddress) this.sessionsThatKeepEmails.add(sessionId);
		const assigned = assign(people, ownResults, {
			succeeded: job.stateWhenOver?.succeeded,
			isPublic: this.publicSessions.has(sessionId),
			hasSharedId: sessionIds.length > 1,
		});
		const { open, unassigned, isContradicted } = assigned;
		for (const [person, result] of assigned.results) this.recordResult(job, person, result);
		setOutcome(people, outcomeLeftOpen(unassigned, isContradicted, job.id));
		if (open.length > 0) this.openOutcomes.push({ job, people: open, results: unassigned });
		return ownResults;
	}

	peopleOf({ sessionId, people }: Job): JobPeople {
		return { sessionId, emails: people.map(({ row }) => row.email) };
	}

	private recordResult(job: Job, person: Candidate, result: TaskResult): void {
		if (person.outcome) return;
		setOutcome([person], outcomeOfResult(job, result));
		// An earlier attempt of this run may have registered the person. Its response got lost.
		if (job.lostAt === undefined || result.status !== 'already_registered') return;
		this.openOutcomes.push({ job, people: [person], results: [result] });
	}
}

interface ListLookup {
	person?: ListedPerson;
	clockAheadMs?: number;
}

/**
 * `lostAt`: when an earlier attempt left whose answer got lost. `lookup`: the facts that the list of registered people shows.
 * Absent: the list was not read.
 */
export function outcomeOfResult(
	{ id: jobId, lostAt }: { readonly id: string; readonly lostAt?: number },
	{ status, person, reasons }: TaskResult,
	lookup?: ListLookup,
): Outcome {
	if (status !== 'already_registered') return { status, jobId, person, reasons };
	const { person: listedPerson, clockAheadMs } = lookup ?? {};
	const outcome: Outcome = { status, jobId, person: listedPerson?.person, reasons };
	if (lostAt === undefined) return outcome;
	if (!listedPerson) return { ...outcome, reasons: [...reasons, ownReason('answer_lost')] };
	const listed = outcomeOfListed(listedPerson, { lostAt, clockAheadMs });
	const isByThisRun = listed.status === 'registered';
	return { ...outcome, ...listed, reasons: isByThisRun ? [] : [...reasons, ...listed.reasons] };
}
