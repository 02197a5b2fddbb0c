import { meaningOf } from '../failures/causes';
import { asFailure, Failure } from '../http/failure';
import { getRecord, readRecord } from '../http/jsonApi';
import { pathTo } from '../http/path';
import type { ApiRequest, Ask, JsonObject } from '../http/ports';
import { quote } from '../http/text';
import { asTask, type Reason, type Registration } from '../jobs/task';
import { changesOf, isEmpty, outstanding } from './changes';

/** The person as registered now. */
export interface Amended {
	person: JsonObject;
	/** What the platform still shows otherwise. */
	left?: Registration;
	/** Why it is not done; absent where it is. */
	why?: Reason;
}

/** The platform often changes the person and never answers: longer waits have brought nothing. */
export const longestAnswerMs = 10_000;
/** Sending the same values again does no harm. */
const attempts = 2;

/**
 * Changes what somebody registered has answered. A refusal is thrown. A `Failure` is returned where no
 * answer came, and the person could not be read again.
 */
export async function amend(
	ask: Ask,
	{ sessionId, person: { id = '' } }: { sessionId: string; person: JsonObject },
	change: Registration,
): Promise<Amended | Failure> {
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
		const person = isDone ? answer : await getRecord(ask, path).catch(asFailure);
		if (person instanceof Failure) return person;
		left = outstanding(person, change);
		if (isEmpty(left)) return { person };
		if (!isLost || attempt === attempts) {
			return { person, left, why: isLost ? notAnswered(person, left) : notMade(person, left) };
		}
	}
}

function notMade(person: JsonObject, left: Registration): Reason {
	const message = `The platform accepted the update, but ${stillShown(person, left)}.`;
	return { code: 'still_different', message };
}

function notAnswered(person: JsonObject, left: Registration): Reason {
	const message = `The platform did not answer, and ${stillShown(person, left)}. Try again later.`;
	return { code: 'not_updated', message };
}

function stillShown(person: JsonObject, left: Registration): string {
	const values = changesOf(person, left).map(({ field, old, new: wanted }) => {
		const [is, not] = [old, wanted].map((value) => quote(JSON.stringify(value)));
		return `'${field}' is still ${old === null ? 'empty' : is} and not ${not}`;
	});
	return values.join(', ');
}
