import {
	because,
	notConfirmed,
	notSent,
	refusedTogether,
	type Change,
	type PersonOutcome,
} from '../bulk/outcome';
import type { RunParts } from '../bulk/plan';
import { meaningOf, perhapsDone, type Meaning } from '../failures/causes';
import { groupBy, mapConcurrently } from '../http/collections';
import { asFailure, Cancelled, Failure } from '../http/failure';
import { attributesOf, getRecord, readRecord } from '../http/jsonApi';
import { pathTo } from '../http/path';
import { againAfterMs } from '../http/retry';
import { quote, text, type JsonObject } from '../http/json';
import type { ApiRequest, Ask } from '../http/ports';
import { asTask, type Reason, type Registration } from '../jobs/task';
import { fieldsOf, showAll } from '../records/simplify';
import { listedByEmail } from '../sessions/sessionPeople';
import { outstanding } from './changes';
import { addressOf } from './law';

export interface Step {
	sessionId: string;
	/** The record as it is registered. */
	person: JsonObject;
	/** What is to be so of the registration; absent: it goes. */
	wanted?: Registration;
}

const sideBySide = 8;
/** The platform often changes the person and never answers: longer waits have brought nothing. */
const longestAnswerMs = 10_000;
/** Sending the same values again does no harm. */
const attempts = 2;

export class Steps {
	private outagesInARow = 0;

	constructor(
		private readonly parts: Pick<RunParts, 'explain' | 'show' | 'signal'>,
		private readonly askFor: (sessionId: string) => Ask,
		/** Why nothing more is sent. */
		public stop?: Reason,
	) {}

	/** Gives of each what is not so as it was planned, and the record as it is now. */
	async take(steps: readonly Step[]): Promise<Array<Partial<PersonOutcome>>> {
		return await mapConcurrently(steps, sideBySide, (step) => this.takeOne(step));
	}

	private async takeOne(step: Step): Promise<Partial<PersonOutcome>> {
		const { explain, show = showAll, signal } = this.parts;
		if (signal?.aborted) this.stop ??= because(new Cancelled(), explain);
		if (this.stop) return notSent(this.stop);
		const ask = this.askFor(step.sessionId);
		try {
			const done = await (step.wanted ? amend(ask, step, step.wanted) : remove(ask, step));
			if (done instanceof Failure) return this.failed(done, perhapsDone);
			this.outagesInARow = 0;
			const { person, left, why } = done;
			if (why && !left) return { status: 'failed', errors: [why] };
			const shown = { person: show(fieldsOf(person)) };
			return why ? { ...shown, status: 'not_updated', changes: left, errors: [why] } : shown;
		} catch (error) {
			if (error instanceof Failure) {
				// A person who is not there any more is nobody else's problem.
				const isGone = error.reason === 'not_found';
				return this.failed(error, isGone ? { person: 'refused' } : meaningOf(error));
			}
			const reason = because(error, explain);
			this.stop ??= reason;
			return notConfirmed(reason);
		}
	}

	private failed(failure: Failure, { again: isOutage, person, ends }: Meaning): PersonOutcome {
		const { explain } = this.parts;
		const reason = because(failure, explain);
		this.outagesInARow = isOutage ? this.outagesInARow + 1 : 0;
		const isGivenUp = againAfterMs('steps', this.outagesInARow) === undefined;
		if (ends !== undefined || isGivenUp) this.stop ??= reason;
		if (person === 'perhaps') return notConfirmed(reason);
		if (person === 'unsent') return notSent(reason);
		return { ...refusedTogether(failure, 1, explain), status: 'failed' };
	}
}

interface Amended {
	person: JsonObject;
	/** What the platform still shows otherwise. */
	left?: readonly Change[];
	/** Why it is not done; absent where it is. */
	why?: Reason;
}

/** A refusal is thrown. A `Failure` is returned where no answer came, and the person could not be read again. */
export async function amend(
	ask: Ask,
	{ sessionId, person: before }: Step,
	wanted: Registration,
): Promise<Amended | Failure> {
	const { id = '' } = before;
	const path = pathTo`/sessions/${sessionId}/people/${id}`;
	let seen = before;
	let left = outstanding(before, wanted);
	for (let attempt = 1; ; attempt++) {
		const changed = new Set(left.map(({ field }) => field));
		const tracking = Object.entries(wanted.tracking).filter(([name]) => changed.has(name));
		const attributes = asTask({
			fields: wanted.fields.filter((field) => changed.has(field.id)),
			tracking: Object.fromEntries(tracking),
		});
		const body = { data: { type: 'people', id, attributes } };
		const request: ApiRequest = { method: 'PATCH', path, body, longestAnswerMs };
		const answer = await ask(request)
			.then((answered) => readRecord(request, answered))
			.catch(asFailure);
		// What was asked for may have been done: whether it was, only the person shows.
		const isLost = answer instanceof Failure;
		const fate = isLost ? meaningOf(answer).person : undefined;
		// What was not sent again says nothing of the attempt before.
		if (fate === 'unsent' && attempt > 1) return { person: seen, left, why: whyLeft(true, left) };
		if (isLost && fate !== 'perhaps') throw answer;
		// The answer may also be the record as it was before.
		const isDone = !isLost && outstanding(answer, wanted).length === 0;
		const person = isDone ? answer : await getRecord(ask, path).catch(asFailure);
		if (person instanceof Failure) return person;
		seen = person;
		left = outstanding(person, wanted);
		if (left.length === 0) return { person };
		if (!isLost || attempt === attempts) return { person, left, why: whyLeft(isLost, left) };
	}
}

function whyLeft(isLost: boolean, left: readonly Change[]): Reason {
	const values = left.map(({ field, old, new: wanted }) => {
		const [is, not] = [old, wanted].map((value) => quote(JSON.stringify(value)));
		return `'${field}' is still ${old === null ? 'empty' : is} and not ${not}`;
	});
	const shown = values.join(', ');
	const message = isLost
		? `The platform did not answer, and ${shown}. Try again later.`
		: `The platform accepted the update, but ${shown}.`;
	return { code: isLost ? 'not_updated' : 'still_different', message };
}

/** The same of a removal: a `Failure` where nobody knows whether the person is gone. */
async function remove(ask: Ask, { sessionId, person }: Step): Promise<Amended | Failure> {
	const path = pathTo`/sessions/${sessionId}/people/${person.id}`;
	const request: ApiRequest = { method: 'DELETE', path, repeatable: true, longestAnswerMs };
	const failure = await ask(request).then(() => undefined, asFailure);
	if (!failure) return { person };
	if (failure.reason !== 'not_found') throw failure;
	// Somebody else, or a request whose answer was lost, has removed the person; or it was not found for another reason.
	const email = text(attributesOf(person).email);
	const listed = await listedByEmail(ask, sessionId, email).catch(asFailure);
	if (listed instanceof Failure) return listed;
	const address = addressOf(person);
	if (listed.some((one) => one.id === person.id || addressOf(one) === address)) {
		return { person, why: notRemoved };
	}
	if (listed.length === 0) return { person };
	// Others instead: the platform has not looked for the address, and the person may be on any page.
	const list = pathTo`/sessions/${sessionId}/people`;
	return new Failure('unexpected_shape', { method: 'GET', path: list });
}

const notRemoved: Reason = {
	code: 'not_removed',
	message: 'The platform did not find the person to remove, but its list of people still has them.',
};

/** What updates cost that the platform accepts and does not make: they are sent again in every run. */
export function hintsAboutUpdates(outcomes: readonly PersonOutcome[]): string[] {
	const different = outcomes.filter(({ errors }) =>
		errors.some(({ code }) => code === 'still_different'),
	);
	const changes = different.flatMap(({ changes: left = [] }) => left);
	return [...groupBy(changes, ({ field }) => field)].map(([field, { length: count }]) => {
		const whom = count === 1 ? '1 person' : `${count} people`;
		// One to send it, and one to see what became of it.
		return `'${field}' has another value on the platform after the update, for ${whom}. This costs ${2 * count} requests in every run. Write it in the list as the platform shows it, or remove it from the fields.`;
	});
}
