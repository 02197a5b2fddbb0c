import { asTask } from '../jobs/task';
import { expectJob, type JobState } from '../jobs/jobState';
import { asFailure, Failure } from '../http/failure';
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
	const { sessionId, people, lostAt } = shipment;
	if ('job' in submitted) {
		health.answered();
		run.meanings.isAllowed();
		return jobs.add(outcomes.accepted(submitted.job.id, sessionId, people, lostAt), now);
	}
	const { failure } = submitted;
	const { again: isWorthTrying, person, ends } = run.meanings.of(failure, sessionId);
	const why = run.because(failure);
	if (isWorthTrying) {
		health.failed(sentAt, now, failure);
		const again = { ...shipment, lostAt: lostAt ?? (person === 'perhaps' ? sentAt : undefined) };
		const isPointless = run.isPointless(failure);
		if (!isPointless && toSend.sendAgain(again, now, failure.retryAt)) return;
		run.drop(again, why);
		if (isPointless) run.stop(why);
		return;
	}
	if (failure.status !== undefined) health.answered();
	if (ends !== undefined) {
		run.drop(shipment, why);
		// Jobs that were accepted are still read, as long as reading is not refused too.
		return run.stopSending(why, ends === 'run' ? undefined : sessionId);
	}
	if (toSend.sendParts(shipment, failure)) return;
	// Refused now, but an earlier try may have been accepted.
	const refusal = refusedTogether(failure, people.length, run.parts.explain);
	outcomes.settle(people, lostAt === undefined ? refusal : notConfirmed(why));
}

/** What came of sending one request. */
export type Submitted = { job: JobState } | { failure: Failure };

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
	return came instanceof Failure ? { failure: came } : { job: came };
}
