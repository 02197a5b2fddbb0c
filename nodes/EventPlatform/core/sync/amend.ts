import { meaningOf } from '../failures/causes';
import { asFailure, Failure } from '../http/failure';
import { getRecord, readRecord } from '../http/jsonApi';
import { pathTo } from '../http/path';
import type { ApiRequest, Ask, JsonObject } from '../http/ports';
import { quote } from '../http/text';
import { asTask, type Registration } from '../jobs/registration';
import { changesOf, isEmpty, outstanding } from './changes';

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
