import { because, notConfirmed, notSent, refusedTogether, type Outcome } from '../bulk/outcome';
import type { RunParts } from '../bulk/state';
import { meaningOf, type Meaning } from '../failures/causes';
import { asFailure, Cancelled, Failure } from '../http/failure';
import { attributesOf, readPage } from '../http/jsonApi';
import { mapConcurrently } from '../http/mapConcurrently';
import { pathTo } from '../http/path';
import { againAfterMs } from '../http/patience';
import type { ApiRequest, Ask, JsonObject } from '../http/ports';
import { text } from '../http/text';
import type { Registration } from '../jobs/registration';
import type { Reason } from '../jobs/taskResult';
import { amend, longestAnswerMs } from './amend';
import { addressOf } from './law';
import type { Step } from './plan';

/** Done, with the person as registered now; or what came of it instead. */
export type Done =
	{ person: JsonObject; left?: Registration; why?: Reason } | Pick<Outcome, 'status' | 'errors'>;

/** Under way at once. */
const abreast = 8;

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
		if ('unread' in amended) return amended.unread;
		if (!('left' in amended)) return amended;
		const { left, code, why } = amended;
		return { person: amended.person, left, why: { code, message: why } };
	}

	private async remove({ sessionId, person }: Step): Promise<Done | Failure> {
		const path = pathTo`/sessions/${sessionId}/people/${person.id}`;
		const request: ApiRequest = { method: 'DELETE', path, repeatable: true, longestAnswerMs };
		const failure = await this.askFor(sessionId)(request).then(() => undefined, asFailure);
		if (!failure) return { person };
		if (failure.reason !== 'not_found') throw failure;
		// Somebody else, or a request whose answer was lost, has removed the person; or it was not found for another reason.
		const there = await this.isThere(sessionId, person).catch(asFailure);
		if (there instanceof Failure) return there;
		return there ? { status: 'failed', errors: [notRemoved] } : { person };
	}

	private async isThere(sessionId: string, person: JsonObject): Promise<boolean> {
		const path = pathTo`/sessions/${sessionId}/people`;
		const email = text(attributesOf(person).email);
		const request: ApiRequest = { method: 'GET', path, query: { 'filter[email]': email } };
		const { records } = readPage(request, await this.askFor(sessionId)(request));
		const isThere = records.some(
			(one) => one.id === person.id || addressOf(one) === addressOf(person),
		);
		// Others instead: the platform has not looked for the address, and the person may be on any page.
		if (!isThere && records.length > 0) throw new Failure('unexpected_shape', request);
		return isThere;
	}

	/** `isOpen`: nobody knows whether the platform has acted. */
	private failed(error: unknown, isOpen = !(error instanceof Failure)): Done {
		const reason = this.because(error);
		const failure = error instanceof Failure ? error : undefined;
		const { again: isOutage, person, ends } = failure && !isOpen ? meaningFor(failure) : unclear;
		this.outagesInARow = isOutage ? this.outagesInARow + 1 : 0;
		const isGivenUp = againAfterMs('steps', this.outagesInARow) === undefined;
		if (!failure || ends !== undefined || isGivenUp) this.stop ??= reason;
		if (!failure || person === 'perhaps') return notConfirmed(reason);
		if (person === 'unsent') return notSent(reason);
		return refusedTogether(failure, 1, this.parts.explain);
	}

	private because(error: unknown): Reason {
		return because(error, this.parts.explain);
	}
}

const notRemoved: Reason = {
	code: 'not_removed',
	message: 'The platform did not find the person to remove, but its list of people still has them.',
};

/** A person who is not there any more is nobody else's problem. */
function meaningFor(failure: Failure): Meaning {
	return failure.reason === 'not_found' ? { person: 'refused' } : meaningOf(failure);
}

const unclear: Meaning = { again: true, person: 'perhaps' };
