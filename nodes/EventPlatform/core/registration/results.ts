import { isGeneratedAddress } from '../dialect/publicEvents';
import type { ListedPerson } from '../people/findPeople';
import {
	isWithoutJoinLink,
	notConfirmed,
	ownReason,
	type Outcome,
	type Reason,
} from '../people/outcome';
import { groupBy } from '../values/collections';
import { assign, concludeFromList, outcomeLeftOpen } from '../jobs/assign';
import { correctOutcome, setOutcome, type Candidate, type FindPeople } from './candidate';
import type { SentJob } from './jobReader';
import { outcomeOfListed } from './lostAnswer';
import type { RegistrationRun } from './registrationRun';
import type { TaskResult } from '../jobs/taskResult';
import type { Ms } from '../values/units';

/** People of a job about whom only the list of registered people can tell more. */
interface OpenResults {
	readonly job: SentJob;
	readonly people: readonly Candidate[];
	readonly results: readonly TaskResult[];
}

/** Owns what the results of the jobs of a run have shown. */
export class Results {
	private readonly open: OpenResults[] = [];

	constructor(private readonly run: Pick<RegistrationRun, 'client' | 'findings'>) {}

	/**
	 * Records the results of a job, and the outcomes that follow for its people. `reasonUnread`: why the job was not read to its end.
	 * Until then results may move, so that they count by their addresses alone.
	 */
	record(job: SentJob, results: readonly TaskResult[], reasonUnread?: Reason): void {
		const { people, sessionId } = job;
		const { findings } = this.run;
		const setOthers = (unassigned: readonly TaskResult[], isContradicted: boolean) =>
			setOutcome(
				people,
				reasonUnread
					? notConfirmed(reasonUnread, job.id)
					: outcomeLeftOpen(unassigned, isContradicted, job.id),
			);
		if (job.isIdShared) {
			setOthers([], true);
			return;
		}
		const addresses = new Set(people.map(({ row }) => row.address));
		for (const { address = '', isNoRegistrant } of results) {
			if (isGeneratedAddress(address)) findings.recordEmails(sessionId, 'replaced');
			// Members of the team have their own addresses at a public event, too.
			if (!isNoRegistrant && addresses.has(address)) findings.recordEmails(sessionId, 'kept');
		}
		const {
			results: assigned,
			open,
			unassigned,
			isContradicted,
		} = assign(people, results, {
			succeeded: job.succeeded,
			isUncertain: reasonUnread !== undefined,
			isPublic: findings.hasMadeUpEmails(sessionId),
		});
		for (const [person, result] of assigned) {
			setOutcome([person], outcomeOfResult(job, result));
			// An earlier attempt of this run may have registered the person. Its answer got lost.
			const isDoubtful = job.lost && result.status === 'already_registered';
			if (isDoubtful) this.open.push({ job, people: [person], results: [result] });
		}
		setOthers(unassigned, isContradicted);
		if (open.length > 0) this.open.push({ job, people: open, results: unassigned });
	}

	/** Asks the lists of the sessions about results that do not say whose they are. What a list does not tell stays as it is. */
	async askLists(find: FindPeople): Promise<void> {
		for (const [sessionId, open] of groupBy(this.open, ({ job }) => job.sessionId)) {
			if (this.run.findings.hasMadeUpEmails(sessionId)) continue;
			// Everybody has an outcome by now, which no error may take away, not even a mistake of ours: the run has registered them.
			const list = await find(
				sessionId,
				open.flatMap(({ people }) => people),
			).catch(() => {});
			if (!list) continue;
			for (const { job, people, results } of open) {
				for (const [person, result] of concludeFromList(people, results, list)) {
					const listed = list.get(person.row.address);
					const { clockAheadMs } = this.run.client.usage;
					correctOutcome(person, outcomeOfResult(job, result, listed, clockAheadMs));
				}
			}
		}
	}

	/** Brings the join links that the results do not have, such as those of people who were registered before. */
	async bringJoinLinks(people: readonly Candidate[], find: FindPeople): Promise<void> {
		const without = people.filter(({ outcome }) => outcome && isWithoutJoinLink(outcome));
		for (const [sessionId, candidates] of groupBy(without, ({ row }) => row.sessionId)) {
			if (this.run.findings.hasMadeUpEmails(sessionId)) continue;
			// As above, a link that is missing costs nobody the outcome.
			const list = await find(sessionId, candidates).catch(() => {});
			for (const candidate of candidates) {
				const person = list?.get(candidate.row.address)?.person;
				if (candidate.outcome && person) {
					correctOutcome(candidate, { ...candidate.outcome, person });
				}
			}
		}
	}
}

/**
 * The outcome that follows from a result. `listed`: the person as the list of the session shows them. Absent: the list was not asked, or does
 * not have them.
 */
function outcomeOfResult(
	{ id: jobId, lost }: Pick<SentJob, 'id' | 'lost'>,
	{ status, person, reasons }: TaskResult,
	listed?: ListedPerson,
	clockAheadMs?: Ms,
): Outcome {
	if (status !== 'already_registered' || !lost) {
		return { status, jobId, person, reasons };
	}
	if (!listed) return { status, jobId, reasons: [...reasons, ownReason('answer_lost')] };
	const outcome = outcomeOfListed(listed, lost, clockAheadMs);
	const isByThisRun = outcome.status === 'registered';
	return { ...outcome, jobId, reasons: isByThisRun ? [] : [...reasons, ...outcome.reasons] };
}
