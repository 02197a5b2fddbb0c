import type { Change, PersonOutcome } from '../bulk/outcome';
import { meaningOf } from '../failures/causes';
import { asFailure, Failure } from '../http/failure';
import { isObject } from '../http/json';
import { attributesOf, getRecord, readRecord } from '../http/jsonApi';
import { pathTo } from '../http/path';
import type { ApiRequest, Ask, Json, JsonObject } from '../http/ports';
import { quote, text } from '../http/text';
import { asTask, type Reason, type Registration } from '../jobs/task';
import { isEqual } from './equal';

/** What of `wanted` is not so yet. */
export function outstanding(person: JsonObject, { fields, tracking }: Registration): Change[] {
	const attributes = attributesOf(person);
	const detail = isObject(attributes.registrant_detail) ? attributes.registrant_detail : {};
	const answers = [detail.fields ?? []].flat().filter(isObject);
	const changed = (field: string, old: Json, value: string | string[], type: string): Change[] =>
		isEqual(old, value, { id: field, type }) ? [] : [{ field, old, new: value }];
	return [
		...fields.flatMap(({ id, value }) => {
			const answer = answers.findLast((one) => text(one.id) === id);
			// The name and the address also stand beside the answers, where a form may not have asked.
			const old = answer?.value ?? attributes[id] ?? null;
			return changed(id, old, value, text(answer?.type));
		}),
		...Object.entries(tracking).flatMap(([name, value]) =>
			changed(name, detail[name] ?? null, value, 'text'),
		),
	];
}

/** What is to be sent of it. */
function partOf({ fields, tracking }: Registration, changes: readonly Change[]): Registration {
	const changed = new Set(changes.map(({ field }) => field));
	return {
		fields: fields.filter(({ id }) => changed.has(id)),
		tracking: Object.fromEntries(Object.entries(tracking).filter(([name]) => changed.has(name))),
	};
}

/** What updates cost that the platform accepts and does not make: they are sent again in every run. */
export function hintsAboutUpdates(outcomes: readonly PersonOutcome[]): string[] {
	const people = new Map<string, number>();
	for (const { changes = [], errors } of outcomes) {
		if (!errors.some(({ code }) => code === 'still_different')) continue;
		for (const { field } of changes) people.set(field, (people.get(field) ?? 0) + 1);
	}
	return [...people].map(([field, count]) => {
		const whom = count === 1 ? '1 person' : `${count} people`;
		// One to send it, and one to see what became of it.
		return `'${field}' has another value on the platform after the update, for ${whom}. This costs ${2 * count} requests in every run. Write it in the list as the platform shows it, or remove it from the fields.`;
	});
}

/** The person as registered now. */
export interface Amended {
	person: JsonObject;
	/** What the platform still shows otherwise. */
	left?: readonly Change[];
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
	{ sessionId, person: before }: { sessionId: string; person: JsonObject },
	wanted: Registration,
): Promise<Amended | Failure> {
	const { id = '' } = before;
	const path = pathTo`/sessions/${sessionId}/people/${id}`;
	let [seen, left] = [before, outstanding(before, wanted)];
	for (let attempt = 1; ; attempt++) {
		const body = { data: { type: 'people', id, attributes: asTask(partOf(wanted, left)) } };
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
		left = outstanding((seen = person), wanted);
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
	if (!isLost) {
		return { code: 'still_different', message: `The platform accepted the update, but ${shown}.` };
	}
	const message = `The platform did not answer, and ${shown}. Try again later.`;
	return { code: 'not_updated', message };
}
