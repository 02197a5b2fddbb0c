import {
	because,
	notConfirmed,
	notSent,
	refusedTogether,
	type Explain,
	type PersonOutcome,
} from '../bulk/outcome';
import { meaningOf, type Meaning } from '../failures/causes';
import { mapConcurrently } from '../http/collections';
import { asFailure, Cancelled, Failure } from '../http/failure';
import { attributesOf } from '../http/jsonApi';
import { pathTo } from '../http/path';
import { againAfterMs } from '../http/patience';
import type { ApiRequest, Ask, JsonObject } from '../http/ports';
import { text } from '../http/text';
import type { Reason, Registration } from '../jobs/task';
import { fieldsOf, showAll, type Show } from '../records/simplify';
import { listedByEmail } from '../sessions/sessionPeople';
import { amend, longestAnswerMs, type Amended } from './changes';
import { addressOf } from './law';

/** Something to do with the registration of one person. */
export interface Step {
	sessionId: string;
	/** The record as it is registered. */
	person: JsonObject;
	/** What is to be so of the registration; absent: it goes. */
	wanted?: Registration;
}

interface Parts {
	explain: Explain;
	show?: Show;
	signal?: AbortSignal;
}

/** Under way at once. */
const sideBySide = 8;

/** Does what a plan says about people who are registered: one request each. */
export class Steps {
	/** Why nothing more is sent. */
	stop?: Reason;
	private outagesInARow = 0;

	constructor(
		private readonly parts: Parts,
		private readonly askFor: (sessionId: string) => Ask,
	) {}

	/** Gives of each what is not so as it was planned, and the record as it is now. */
	async take(steps: readonly Step[]): Promise<Array<Partial<PersonOutcome>>> {
		return await mapConcurrently(steps.length, sideBySide, async (place) => {
			const step = steps[place];
			return step ? await this.takeOne(step) : {};
		});
	}

	private async takeOne(step: Step): Promise<Partial<PersonOutcome>> {
		if (this.parts.signal?.aborted) this.stop ??= this.because(new Cancelled());
		if (this.stop) return notSent(this.stop);
		const ask = this.askFor(step.sessionId);
		try {
			const done = await (step.wanted ? amend(ask, step, step.wanted) : remove(ask, step));
			if (done instanceof Failure) return this.failed(done, true);
			this.outagesInARow = 0;
			return this.became(done);
		} catch (error) {
			return this.failed(error);
		}
	}

	private became({ person, left, why }: Amended): Partial<PersonOutcome> {
		const { show = showAll } = this.parts;
		const shown = { person: show(fieldsOf(person)) };
		if (!why) return shown;
		const errors = [why];
		if (!left) return { status: 'failed', errors };
		return { ...shown, status: 'not_updated', changes: left, errors };
	}

	/** `isOpen`: nobody knows whether the platform has acted. */
	private failed(error: unknown, isOpen = !(error instanceof Failure)): PersonOutcome {
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

/** A person who is not there any more is nobody else's problem. */
function meaningFor(failure: Failure): Meaning {
	return failure.reason === 'not_found' ? { person: 'refused' } : meaningOf(failure);
}

const unclear: Meaning = { again: true, person: 'perhaps' };

/** A `Failure`: nobody knows whether the person is gone. */
async function remove(ask: Ask, { sessionId, person }: Step): Promise<Amended | Failure> {
	const path = pathTo`/sessions/${sessionId}/people/${person.id}`;
	const request: ApiRequest = { method: 'DELETE', path, repeatable: true, longestAnswerMs };
	const failure = await ask(request).then(() => undefined, asFailure);
	if (!failure) return { person };
	if (failure.reason !== 'not_found') throw failure;
	// Somebody else, or a request whose answer was lost, has removed the person; or it was not found for another reason.
	const there = await isThere(ask, sessionId, person).catch(asFailure);
	if (there instanceof Failure) return there;
	return there ? { person, why: notRemoved } : { person };
}

const notRemoved: Reason = {
	code: 'not_removed',
	message: 'The platform did not find the person to remove, but its list of people still has them.',
};

async function isThere(ask: Ask, sessionId: string, person: JsonObject): Promise<boolean> {
	const path = pathTo`/sessions/${sessionId}/people`;
	const email = text(attributesOf(person).email);
	const records = await listedByEmail(ask, { sessionId, email });
	const isThere = records.some(
		(one) => one.id === person.id || addressOf(one) === addressOf(person),
	);
	// Others instead: the platform has not looked for the address, and the person may be on any page.
	if (!isThere && records.length > 0)
		throw new Failure('unexpected_shape', { method: 'GET', path });
	return isThere;
}
