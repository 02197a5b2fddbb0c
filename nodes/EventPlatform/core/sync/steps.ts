import {
	because,
	notConfirmed,
	notSent,
	refusedTogether,
	type Change,
	type PersonOutcome,
} from '../bulk/outcome';
import type { RunParts } from '../bulk/plan';
import type { Meter } from '../bulk/report';
import { meaningOf, perhapsDone, type Meaning } from '../failures/causes';
import { groupBy, mapConcurrently } from '../http/collections';
import { againAfterMs, asFailure, Cancelled, Failure } from '../http/failure';
import { askForRecord, attributesOf, getRecord } from '../http/jsonApi';
import { quote, text, type JsonObject } from '../http/json';
import { pathTo, type ApiRequest, type Ask } from '../http/ports';
import { asTask, type Reason } from '../jobs/task';
import { readPeople } from '../sessions/sessionPeople';
import { outstanding } from './changes';
import { addressOf } from './identity';
import type { Entry } from './law';
import { become, withStatus } from './plan';

const sideBySide = 8;
/** The platform often changes the person and never answers: longer waits have brought nothing. */
const longestAnswerMs = 10_000;
/** Sending the same values again does no harm. */
const attempts = 2;

/** Updates first, removals last. Gives why it ended early, where it did; `stop`: it is to end before it begins. */
export async function takeSteps(
	people: readonly Entry[],
	{ explain, signal }: Pick<RunParts, 'explain' | 'signal'>,
	meter: Pick<Meter, 'askFor'>,
	stop?: Reason,
): Promise<Reason | undefined> {
	let outagesInARow = 0;

	/** Gives what is not so as it was planned. */
	async function take(entry: Entry, deed: Deed): Promise<Partial<PersonOutcome>> {
		if (signal?.aborted) stop ??= because(new Cancelled(), explain);
		if (stop) return notSent(stop);
		try {
			const done = await deed(meter.askFor(entry.sessionId), entry);
			if (done instanceof Failure) return failed(done, perhapsDone);
			outagesInARow = 0;
			entry.person = done.person;
			return done.otherwise ?? {};
		} catch (error) {
			return failed(error);
		}
	}

	function failed(error: unknown, meaning = meaningFor(error)): PersonOutcome {
		const reason = because(error, explain);
		outagesInARow = meaning.again ? outagesInARow + 1 : 0;
		const isGivenUp = againAfterMs('steps', outagesInARow) === undefined;
		if (meaning.ends !== undefined || isGivenUp) stop ??= reason;
		if (meaning.person === 'unsent') return notSent(reason);
		if (meaning.person === 'perhaps' || !(error instanceof Failure)) return notConfirmed(reason);
		return { ...refusedTogether(error, 1, explain), status: 'failed' };
	}

	for (const status of ['updated', 'removed'] as const) {
		await mapConcurrently(withStatus(people, status), sideBySide, async (entry) => {
			become(entry, await take(entry, deeds[status]));
		});
	}
	return stop;
}

function meaningFor(error: unknown): Meaning {
	if (!(error instanceof Failure)) return { person: 'perhaps', ends: 'run' };
	// A person who is not there any more is nobody else's problem.
	return error.reason === 'not_found' ? { person: 'refused' } : meaningOf(error);
}

/**
 * `otherwise`: where it is not done. A refusal is thrown. A `Failure` is returned where nobody knows whether it was
 * done. Without an ID nothing is sent.
 */
type Deed = (
	ask: Ask,
	registered: Pick<Entry, 'sessionId' | 'person' | 'wanted'>,
) => Promise<Failure | { person: JsonObject; otherwise?: PersonOutcome }>;

export const amend: Deed = async (ask, { sessionId, person = {}, wanted }) => {
	const { id = '' } = person;
	const path = pathTo`/sessions/${sessionId}/people/${id}`;
	let left = outstanding(person, wanted);
	for (let sent = 1; ; sent++) {
		const isLeft = (name: string) => left.some(({ field }) => field === name);
		const fields = wanted.fields.filter((field) => isLeft(field.id));
		const tracking = Object.entries(wanted.tracking).filter(([name]) => isLeft(name));
		const attributes = asTask({ fields, tracking: Object.fromEntries(tracking) });
		const body = { data: { type: 'people', id, attributes } };
		const request: ApiRequest = { method: 'PATCH', path, body, longestAnswerMs };
		const answer = await askForRecord(ask, request).catch(asFailure);
		if (answer instanceof Failure) {
			const { person: meant } = meaningOf(answer);
			// What was not sent again says nothing of the attempt before.
			if (meant === 'unsent' && sent > 1) return { person, otherwise: notUpdated(left, true) };
			if (meant !== 'perhaps') throw answer;
		}
		// What was asked for may have been done, and the answer may be the record as it was: then only the person shows.
		const isDone = !(answer instanceof Failure) && outstanding(answer, wanted).length === 0;
		const seen = isDone ? answer : await getRecord(ask, path).catch(asFailure);
		if (seen instanceof Failure) return seen;
		person = seen;
		left = outstanding(person, wanted);
		if (left.length === 0) return { person };
		const isLost = answer instanceof Failure;
		if (!isLost || sent === attempts) return { person, otherwise: notUpdated(left, isLost) };
	}
};

/** `changes`: what the platform still shows otherwise. */
function notUpdated(changes: Change[], isLost: boolean): PersonOutcome {
	const values = changes.map(({ field, old, new: wanted }) => {
		const [is, not] = [old, wanted].map((value) => quote(JSON.stringify(value)));
		return `'${field}' is still ${old === null ? 'empty' : is} and not ${not}`;
	});
	const shown = values.join(', ');
	const message = isLost
		? `The platform did not answer, and ${shown}. Try again later.`
		: `The platform accepted the update, but ${shown}.`;
	const code = isLost ? 'not_updated' : 'still_different';
	return { status: 'not_updated', changes, errors: [{ code, message }] };
}

const remove: Deed = async (ask, { sessionId, person = {} }) => {
	const path = pathTo`/sessions/${sessionId}/people/${person.id}`;
	const request: ApiRequest = { method: 'DELETE', path, repeatable: true, longestAnswerMs };
	const failure = await ask(request).then(() => undefined, asFailure);
	if (!failure) return { person };
	if (failure.reason !== 'not_found') throw failure;
	// Somebody else, or a request whose answer was lost, has removed the person; or it was not found for another reason.
	const query = { 'filter[email]': text(attributesOf(person).email) };
	const listed = await readPeople(ask, sessionId, query).catch(asFailure);
	if (listed instanceof Failure) return listed;
	const address = addressOf(person);
	if (listed.records.some((one) => one.id === person.id || addressOf(one) === address)) {
		return { person, otherwise: { status: 'failed', errors: [stillThere] } };
	}
	if (listed.records.length === 0) return { person };
	// Others instead: the platform has not looked for the address, and the person may be on any page.
	return new Failure('unexpected_shape', listed.request);
};

const deeds = { updated: amend, removed: remove };

const stillThere: Reason = {
	code: 'not_removed',
	message: 'The platform did not find the person to remove, but its list of people still has them.',
};

/** What updates cost that the platform accepts and does not make: they are sent again in every run. */
export function hintsAboutUpdates(outcomes: readonly PersonOutcome[]): string[] {
	const different = outcomes.filter(({ errors: [why] }) => why?.code === 'still_different');
	const changes = different.flatMap(({ changes: left = [] }) => left);
	return [...groupBy(changes, ({ field }) => field)].map(([field, { length: count }]) => {
		const whom = count === 1 ? '1 person' : `${count} people`;
		// One to send it, and one to see what became of it.
		return `'${field}' has another value on the platform after the update, for ${whom}. This costs ${2 * count} requests in every run. Write it in the list as the platform shows it, or remove it from the fields.`;
	});
}
