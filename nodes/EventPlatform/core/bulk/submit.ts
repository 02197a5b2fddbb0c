import { readJob, type JobState } from '../jobs/jobState';
import { Failure, type Cause } from '../http/failure';
import type { Answer, ApiRequest, Ask, JsonObject } from '../http/ports';
import { pathTo } from '../http/path';
import type { Owners } from './ending';
import { notConfirmed, refusedTogether } from './outcome';
import type { Candidate, Chunk } from './plan';
import type { Shipment } from './toSend';

/** Sends shipments, and tells the owners what came of them. */
export class Sending {
	/** Sent, without an answer yet. */
	readonly underWay = new Set<Shipment>();

	constructor(private readonly owners: Owners) {}

	async send(shipment: Shipment): Promise<void> {
		const { plan, requests, outcomes, ending, clock } = this.owners;
		const sentAt = clock.now();
		this.underWay.add(shipment);
		try {
			const ask = requests.askFor(shipment.sessionId);
			const submitted = await submit(shipment, plan.people, ask);
			if (!ending.isOver) this.take(shipment, submitted, sentAt);
		} catch (error) {
			if (ending.isOver) return;
			const stop = ending.because(error);
			outcomes.settle(shipment.people, notConfirmed(stop));
			ending.stopAll(stop);
		} finally {
			this.underWay.delete(shipment);
		}
	}

	private take(shipment: Shipment, submitted: Submitted, sentAt: number): void {
		const { outcomes, health, jobs, ending, clock } = this.owners;
		const { sessionId, people } = shipment;
		if ('job' in submitted) {
			health.answered();
			jobs.add(outcomes.accepted(submitted.job.id, sessionId, people), clock.now());
		} else if ('refused' in submitted) {
			health.answered();
			this.refused(shipment, submitted.refused);
		} else if ('stop' in submitted) {
			if (submitted.stop.status !== undefined) health.answered();
			const stop = ending.because(submitted.stop);
			ending.drop(shipment, stop);
			// Jobs that were accepted are still read, as long as reading is not refused too.
			ending.stopSending(stop, submitted.reach === 'run' ? undefined : sessionId);
		} else {
			const maybeArrived = shipment.maybeArrived || 'open' in submitted;
			const failure = 'open' in submitted ? submitted.open : submitted.unsent;
			health.failed(sentAt, clock.now(), failure);
			this.sendAgain({ ...shipment, maybeArrived }, failure);
		}
	}

	private refused(shipment: Shipment, failure: Failure): void {
		const { toSend, outcomes, ending, explain } = this.owners;
		const { people, maybeArrived } = shipment;
		if (toSend.sendParts(shipment, failure)) return;
		// Refused now, but an earlier try may have been accepted.
		const outcome = maybeArrived
			? notConfirmed(ending.because(failure))
			: refusedTogether(failure, people.length, explain);
		outcomes.settle(people, outcome);
	}

	private sendAgain(shipment: Shipment, failure: Failure): void {
		const { toSend, health, ending, clock } = this.owners;
		const isPointless = ending.isTooLate(failure) || health.isHopeless;
		if (!isPointless && toSend.sendAgain(shipment, clock.now(), failure.retryAt)) return;
		const stop = ending.because(failure);
		ending.drop(shipment, stop);
		if (isPointless) ending.stopAll(stop);
	}
}

/** What came of sending one request, and what it means for the people in it. */
export type Submitted =
	| { job: JobState }
	/** Refused as a whole: nobody was registered, and one of them is the reason. */
	| { refused: Failure }
	/** Nobody knows whether there is a job now: sending again does no harm. */
	| { open: Failure }
	/** The platform certainly did not act, and may next time. */
	| { unsent: Failure }
	/** Whatever else is sent would be refused too: for this session, or at all. */
	| { stop: Failure; reach: Reach };

export type Reach = 'session' | 'run';

export async function submit(
	{ sessionId, people }: Chunk,
	candidates: readonly Candidate[],
	ask: Ask,
): Promise<Submitted> {
	const tasks = people.map((index) => candidates[index]?.task).filter((task) => task !== undefined);
	const request: ApiRequest = {
		method: 'POST',
		path: pathTo`/sessions/${sessionId}/people/bulk`,
		body: { data: { type: 'jobs', attributes: { tasks } } } satisfies JsonObject,
		// Section 4: only here JSON:API's own type.
		contentType: 'application/vnd.api+json',
	};
	// Repeating is left to the run: it has to know what may have arrived.
	return await ask(request).then(
		(answer) => readAnswer(request, answer),
		(error: unknown) => {
			if (error instanceof Failure) return meaning[error.reason](error);
			throw error;
		},
	);
}

/** A 2xx without a job: the platform may be registering them, and nobody can ask how far it is. */
function readAnswer(request: ApiRequest, answer: Answer): Submitted {
	const job = readJob(answer.body);
	return job ? { job } : open(new Failure('unexpected_shape', request, { status: answer.status }));
}

/** For what else a failure holds; undefined where it is only about this request. */
export function stopReach(failure: Failure): Reach | undefined {
	const submitted = meaning[failure.reason](failure);
	return 'reach' in submitted ? submitted.reach : undefined;
}

const refused = (failure: Failure): Submitted => ({ refused: failure });
const open = (failure: Failure): Submitted => ({ open: failure });
const unsent = (failure: Failure): Submitted => ({ unsent: failure });
const stop = (failure: Failure): Submitted => ({ stop: failure, reach: 'run' });
const stopSession = (failure: Failure): Submitted => ({ stop: failure, reach: 'session' });
/** An empty 403 may be about this session only; one with words says that it is not. */
const stopAsSaid = (failure: Failure): Submitted => ({
	stop: failure,
	reach: failure.errors.length > 0 ? 'run' : 'session',
});

const meaning: Record<Cause, (failure: Failure) => Submitted> = {
	refused,
	unprocessable: refused,
	already_exists: refused,
	page_out_of_range: refused,
	platform_error: open,
	unconfirmed: open,
	not_json: open,
	unexpected_shape: open,
	unreachable: unsent,
	rate_limited: unsent,
	not_found: stopSession,
	forbidden: stopSession,
	unauthorized: stop,
	reconnect: stop,
	missing_scope: stopAsSaid,
	workspace_blocked: stopAsSaid,
	allowance_spent: stop,
	quota_spent: stop,
	time_over: stop,
};
