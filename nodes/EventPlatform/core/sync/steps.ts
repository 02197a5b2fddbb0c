import { because, notConfirmed, notSent, refusedTogether, type Outcome } from '../bulk/outcome';
import type { RunParts } from '../bulk/run';
import { meaningOf, type Meaning } from '../failures/causes';
import { asFailure, Cancelled, Failure } from '../http/failure';
import { attributesOf, readPage, getRecord, readRecord } from '../http/jsonApi';
import { mapConcurrently } from '../http/collections';
import { pathTo } from '../http/path';
import { againAfterMs } from '../http/patience';
import type { ApiRequest, Ask, JsonObject } from '../http/ports';
import { text, quote } from '../http/text';
import { asTask, type Registration, type Reason } from '../jobs/task';
import { addressOf } from './law';
import type { Step } from './plan';
import { changesOf, isEmpty, outstanding } from './changes';

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
			const done = await (step.change ? this.change(step, step.change) : this.remove(step));
			if (done instanceof Failure) return this.failed(done, true);
			this.outagesInARow = 0;
			return done;
		} catch (error) {
			return this.failed(error);
		}
	}

	private async change({ sessionId, person }: Step, change: Registration) {
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

export type Amended =
	| { person: JsonObject }
	/** The platform still shows something else: what is left to change, and why in words for people. */
	| { person: JsonObject; left: Registration; code: string; why: string }
	/** No answer came, and the person could not be read again. */
	| { unread: Failure };

/** The platform often changes the person and never answers: longer waits have brought nothing. */
export const longestAnswerMs = 10_000;
/** Sending the same values again does no harm. */
const attempts = 2;

/** Changes what somebody registered has answered. A refusal is thrown. */
export async function amend(
	ask: Ask,
	sessionId: string,
	{ id = '' }: JsonObject,
	change: Registration,
): Promise<Amended> {
	const path = pathTo`/sessions/${sessionId}/people/${id}`;
	let left = change;
	for (let attempt = 1; ; attempt++) {
		const request: ApiRequest = {
			method: 'PATCH',
			path,
			body: { data: { type: 'people', id, attributes: asTask(left) } },
			longestAnswerMs,
		};
		const answer = await ask(request)
			.then((answered) => readRecord(request, answered))
			.catch(asFailure);
		// What was asked for may have been done: whether it was, only the person shows.
		const isLost = answer instanceof Failure;
		if (isLost && meaningOf(answer).person !== 'perhaps') throw answer;
		// The answer may also be the record as it was before.
		const isDone = !isLost && isEmpty(outstanding(answer, change));
		const now = isDone ? answer : await getRecord(ask, path).catch(asFailure);
		if (now instanceof Failure) return { unread: now };
		left = outstanding(now, change);
		if (isEmpty(left)) return { person: now };
		if (!isLost) {
			const why = `The platform accepted the update, but ${stillShown(now, left)}.`;
			return { person: now, left, code: 'still_different', why };
		}
		if (attempt === attempts) {
			const why = `The platform did not answer, and ${stillShown(now, left)}. Try again later.`;
			return { person: now, left, code: 'not_updated', why };
		}
	}
}

function stillShown(person: JsonObject, left: Registration): string {
	const values = changesOf(person, left).map(({ field, old, new: wanted }) => {
		const [is, not] = [old, wanted].map((value) => quote(JSON.stringify(value)));
		return `'${field}' is still ${old === null ? 'empty' : is} and not ${not}`;
	});
	return values.join(', ');
}
