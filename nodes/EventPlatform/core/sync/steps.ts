import { because, notConfirmed, notSent, refusedTogether, type Outcome } from '../bulk/outcome';
import type { RunParts } from '../bulk/state';
import { meaningOf, type Meaning } from '../bulk/submit';
import { asFailure, Cancelled, Failure } from '../http/failure';
import { mapConcurrently } from '../http/mapConcurrently';
import { pathTo } from '../http/path';
import type { ApiRequest, Ask, JsonObject } from '../http/ports';
import type { Reason } from '../jobs/taskResult';
import { amend, longestAnswerMs } from './amend';
import type { Step } from './plan';

/** Done, with the person as registered now; or what came of it instead. */
export type Done = { person: JsonObject } | Pick<Outcome, 'status' | 'errors'>;

/** Under way at once. */
const abreast = 8;
/** Each has been tried several times. */
const mostOutages = 12;

/** Does what a plan says about people who are registered: one request each. */
export class Steps {
	/** Why nothing more is sent. */
	stop?: Reason;
	private outagesInARow = 0;

	constructor(
		private readonly parts: RunParts,
		private readonly askFor: (sessionId: string) => Ask,
	) {}

	/** `hear` is told what came of each. */
	async take(steps: readonly Step[], hear: (step: Step, done: Done) => void): Promise<void> {
		await mapConcurrently(steps.length, abreast, async (place) => {
			const step = steps[place];
			if (step) hear(step, await this.takeOne(step));
		});
	}

	private async takeOne(step: Step): Promise<Done> {
		if (this.parts.signal?.aborted) this.stop ??= this.because(new Cancelled());
		if (this.stop) return notSent(this.stop);
		try {
			const done = await (step.change ? this.change(step) : this.remove(step));
			if (done instanceof Failure) return this.failed(done, true);
			this.outagesInARow = 0;
			return done;
		} catch (error) {
			return this.failed(error);
		}
	}

	private async change({ sessionId, person, change }: Step): Promise<Done | Failure> {
		if (!change) return { person };
		const amended = await amend(this.askFor(sessionId), sessionId, person, change);
		if ('person' in amended) return amended;
		if ('unread' in amended) return amended.unread;
		return { status: 'failed', errors: [{ code: 'not_updated', message: amended.unchanged }] };
	}

	private async remove({ sessionId, person }: Step): Promise<Done> {
		const path = pathTo`/sessions/${sessionId}/people/${person.id}`;
		const request: ApiRequest = { method: 'DELETE', path, repeatable: true, longestAnswerMs };
		const failure = await this.askFor(sessionId)(request).then(() => undefined, asFailure);
		// Not found: somebody else, or a request whose answer was lost, has removed the person.
		if (failure && failure.reason !== 'not_found') throw failure;
		return { person };
	}

	/** `isOpen`: nobody knows whether the platform has acted. */
	private failed(error: unknown, isOpen = !(error instanceof Failure)): Done {
		const reason = this.because(error);
		const meaning = isOpen || !(error instanceof Failure) ? 'open' : meaningFor(error);
		const isOutage = meaning === 'open' || meaning === 'unsent';
		this.outagesInARow = isOutage ? this.outagesInARow + 1 : 0;
		const endsAll = !(error instanceof Failure) || meaning === 'session' || meaning === 'run';
		if (endsAll || this.outagesInARow >= mostOutages) this.stop ??= reason;
		if (meaning === 'open') return notConfirmed(reason);
		if (endsAll || isOutage) return notSent(reason);
		return refusedTogether(error, 1, this.parts.explain);
	}

	private because(error: unknown): Reason {
		return because(error, this.parts.explain);
	}
}

/** A person who is not there any more is nobody else's problem. */
function meaningFor(failure: Failure): Meaning {
	return failure.reason === 'not_found' ? 'refused' : meaningOf(failure);
}
