import { asTask } from '../jobs/registration';
import { expectJob, type JobState } from '../jobs/jobState';
import { asFailure, Failure, type Cause } from '../http/failure';
import type { ApiRequest, Ask, JsonObject } from '../http/ports';
import { pathTo } from '../http/path';
import { notConfirmed, refusedTogether } from './outcome';
import type { Candidate, Chunk } from './plan';
import type { RunState } from './state';
import type { Shipment } from './toSend';

/** Sends a shipment, and tells the owners what came of it. */
export async function send(run: RunState, shipment: Shipment): Promise<void> {
	const { plan, toSend, outcomes, now } = run;
	try {
		const submitted = await submit(shipment, plan.people, run.askFor(shipment.sessionId));
		if (!run.isOver) take(run, shipment, submitted, now);
	} catch (error) {
		if (run.isOver) return;
		const why = run.because(error);
		outcomes.settle(shipment.people, notConfirmed(why));
		run.stop(why);
	} finally {
		toSend.underWay.delete(shipment);
	}
}

function take(run: RunState, shipment: Shipment, submitted: Submitted, sentAt: number): void {
	const { toSend, outcomes, health, jobs, now } = run;
	const { sessionId, people, maybeArrived } = shipment;
	if ('job' in submitted) {
		health.answered();
		return jobs.add(outcomes.accepted(submitted.job.id, sessionId, people), now);
	}
	const { failure, meaning } = submitted;
	const why = run.because(failure);
	if (meaning === 'open' || meaning === 'unsent') {
		health.failed(sentAt, now, failure);
		const again = { ...shipment, maybeArrived: maybeArrived || meaning === 'open' };
		const isPointless = run.isPointless(failure);
		if (!isPointless && toSend.sendAgain(again, now, failure.retryAt)) return;
		run.drop(again, why);
		if (isPointless) run.stop(why);
		return;
	}
	if (failure.status !== undefined) health.answered();
	if (meaning !== 'refused') {
		run.drop(shipment, why);
		// Jobs that were accepted are still read, as long as reading is not refused too.
		return run.stopSending(why, meaning === 'run' ? undefined : sessionId);
	}
	if (toSend.sendParts(shipment, failure)) return;
	// Refused now, but an earlier try may have been accepted.
	const refusal = refusedTogether(failure, people.length, run.parts.explain);
	outcomes.settle(people, maybeArrived ? notConfirmed(why) : refusal);
}

/** What a failed request means for the people in it. */
export type Meaning =
	/** Refused as a whole: nobody was registered, and one of them is the reason. */
	| 'refused'
	/** Nobody knows whether there is a job now: sending again does no harm. */
	| 'open'
	/** The platform certainly did not act, and may next time. */
	| 'unsent'
	/** Whatever else is sent would be refused too: for this session, or at all. */
	| 'session'
	| 'run';

/** What came of sending one request. */
export type Submitted = { job: JobState } | { failure: Failure; meaning: Meaning };

export async function submit(
	{ sessionId, people }: Chunk,
	candidates: readonly Candidate[],
	ask: Ask,
): Promise<Submitted> {
	const tasks = people.flatMap((index) => candidates[index]?.wanted ?? []).map(asTask);
	const request: ApiRequest = {
		method: 'POST',
		path: pathTo`/sessions/${sessionId}/people/bulk`,
		body: { data: { type: 'jobs', attributes: { tasks } } } satisfies JsonObject,
		// Section 4: only here JSON:API's own type.
		contentType: 'application/vnd.api+json',
	};
	// Repeating is left to the run: it has to know what may have arrived. And a 2xx without a job may
	// be one that nobody can ask about.
	const came = await ask(request)
		.then((answer) => expectJob(request, answer))
		.catch(asFailure);
	return came instanceof Failure ? { failure: came, meaning: meaningOf(came) } : { job: came };
}

export function meaningOf({ reason, errors }: Failure): Meaning {
	const meaning = meanings[reason];
	return meaning === 'as said' ? (errors.length > 0 ? 'run' : 'session') : meaning;
}

const meanings: Record<Cause, Meaning | 'as said'> = {
	refused: 'refused',
	unprocessable: 'refused',
	already_exists: 'refused',
	page_out_of_range: 'refused',
	platform_error: 'open',
	unconfirmed: 'open',
	not_json: 'open',
	unexpected_shape: 'open',
	unreachable: 'unsent',
	rate_limited: 'unsent',
	not_found: 'session',
	forbidden: 'session',
	// An empty 403 may be about this session only; one with words says that it is not.
	missing_scope: 'as said',
	workspace_blocked: 'as said',
	unauthorized: 'run',
	reconnect: 'run',
	allowance_spent: 'run',
	quota_spent: 'run',
	time_over: 'run',
};
