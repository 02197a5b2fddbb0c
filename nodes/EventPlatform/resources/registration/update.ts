import type { Operation, Visit } from '../operation';
import { formFor } from '../../form/formFor';
import { hintNotes } from '../../form/formNotes';
import { changesOf, isEmpty, outstanding, type Registration } from '../../form/registrationChanges';
import { answersToChange, readAnswers } from '../../form/registrationFields';
import { simplifyField } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { asFailure, Failure, type Cause } from '../../core/http/failure';
import { readRecord } from '../../core/http/jsonApi';
import { pathTo } from '../../core/http/path';
import type { ApiRequest, JsonObject } from '../../core/http/ports';
import { document, getRecord } from '../records';
import { shapeOf } from '../shape';
import { statusFirst } from './register';
import { readWho, registeredPerson, whoFields } from './who';

/** Changes what somebody registered has answered. */
export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update the answers of a person registered for a session',
	description: 'Change answers, referrer or UTM values of somebody who is registered for a session',
	fields: [...whoFields, ...answersToChange, simplifyField, recordOptions('registrants')],
	async run(visit) {
		const { api, read } = visit;
		const shape = shapeOf(read);
		const who = readWho(read);
		const wanted = await readWanted(visit);
		const before = await registeredPerson(api, who, read);
		const change = outstanding(before, wanted);
		const person = isEmpty(change) ? before : await apply(who.sessionId, before, change, visit);
		const status = isEmpty(change) ? 'unchanged' : 'updated';
		const changes = changesOf(before, change).map((one) => ({ ...one }));
		return { ...statusFirst(status, shape.one(person)), changes };
	},
};

async function readWanted(visit: Visit): Promise<Registration> {
	const { read } = visit;
	const form = await formFor(visit);
	const answered = readAnswers(read, form);
	hintNotes(visit, answered, form);
	const { fields, tracking, problems } = answered;
	if (problems.length > 0) {
		throw read.unfit(problems, 'This registration was not updated.');
	}
	if (!isEmpty({ fields, tracking })) return { fields, tracking };
	throw read.refusal(
		'There is nothing to update',
		'Fill in at least one field. What is left empty stays as it is.',
	);
}

/** The platform often changes the person and never answers: longer waits have brought nothing. */
const longestAnswerMs = 10_000;
/** Sending the same values again does no harm. */
const attempts = 2;

/** What the platform was asked for may have been done: whether it was, only the person shows. */
const leavesItOpen: ReadonlySet<Cause> = new Set([
	'unconfirmed',
	'platform_error',
	'not_json',
	'unexpected_shape',
]);

async function apply(
	sessionId: string,
	before: JsonObject,
	change: Registration,
	{ api, read }: Visit,
): Promise<JsonObject> {
	const path = pathTo`/sessions/${sessionId}/people/${before.id}`;
	let left = change;
	for (let attempt = 1; ; attempt++) {
		const { fields, tracking } = left;
		const request: ApiRequest = {
			method: 'PATCH',
			path,
			body: document('people', { fields, ...tracking }, { id: before.id ?? '' }),
			longestAnswerMs,
		};
		const answer = await api(request)
			.then((answered) => readRecord(request, answered))
			.catch(asFailure);
		if (!(answer instanceof Failure)) return answer;
		if (!leavesItOpen.has(answer.reason)) throw answer;
		const now = await getRecord(api, path);
		left = outstanding(now, change);
		if (isEmpty(left)) return now;
		if (attempt === attempts) {
			const unchanged = changesOf(now, left).map(({ field }) => field);
			throw read.refusal(
				'The registration was not updated',
				`The platform did not answer, and the person, read again, still has the old ${unchanged.join(', ')}. Try again later.`,
			);
		}
	}
}
