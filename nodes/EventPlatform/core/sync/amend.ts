import { meaningOf } from '../bulk/submit';
import { asFailure, Failure } from '../http/failure';
import { readRecord } from '../http/jsonApi';
import { pathTo } from '../http/path';
import type { ApiRequest, Ask, JsonObject } from '../http/ports';
import { asTask, type Registration } from '../jobs/registration';
import { changesOf, isEmpty, outstanding } from './changes';

export type Amended =
	| { person: JsonObject }
	/** No answer came, and the person, read again, is not as wanted: why, in words for people. */
	| { unchanged: string }
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
		if (!(answer instanceof Failure)) return { person: answer };
		// What was asked for may have been done: whether it was, only the person shows.
		if (meaningOf(answer) !== 'open') throw answer;
		const now = await readAgain(ask, path).catch(asFailure);
		if (now instanceof Failure) return { unread: now };
		left = outstanding(now, change);
		if (isEmpty(left)) return { person: now };
		if (attempt === attempts) {
			const old = changesOf(now, left).map(({ field }) => field);
			return {
				unchanged: `The platform did not answer, and the person, read again, still has the old ${old.join(', ')}. Try again later.`,
			};
		}
	}
}

async function readAgain(ask: Ask, path: string): Promise<JsonObject> {
	const request = { method: 'GET', path } as const;
	return readRecord(request, await ask(request));
}
