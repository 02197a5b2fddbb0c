import type { SandboxOptions } from '../options';
import type { Platform } from '../platform';
import { formOf } from '../records/eventRecord';
import { findEvent, findSession, findSessionPerson } from '../records/find';
import { type Call, type Handler, pathId } from '../records/handler';
import { type FieldAnswer, type Tracking, sessionPersonRecord } from '../records/personRecord';
import { type Problem, Refusal } from '../refusal';
import { inWords } from '../world/errorWords';
import { type OpenSession, formToAnswer, openSession, register } from './register';
import { type Submission, answersOf, readFields, single } from './submission';

interface PersonDocument {
	data: { attributes: Submission };
}

const registerPerson: Handler = (call) => {
	const session = sessionToRegisterFor(call);
	const { attributes } = (call.body as PersonDocument).data;
	const person = call.platform.store.transaction(() =>
		register(call.platform, session, attributes),
	);
	if (Array.isArray(person)) throw refusalOf(call.platform, person);
	return { status: 201, body: { data: person } };
};

/** New answers replace those of the same field, the others stay. */
const updateSessionPerson: Handler = (call) => {
	const { store } = call.platform;
	const row = findSessionPerson(call.platform, pathId(call, 'id'), pathId(call, 'person_id'));
	const { attributes } = (call.body as PersonDocument).data;
	const event = findEvent(call.platform, String(row['event_id']));
	const form = formToAnswer(call.platform, formOf(event));
	const { values, problems } = readFields(form, attributes);
	const email = single(values.get('email'))?.trim();
	if (email !== undefined && email.toLowerCase() !== String(row['email']).toLowerCase()) {
		problems.push({ code: 'email_fixed', message: 'The email of a registered person is fixed' });
	}
	if (problems.length > 0) throw refusalOf(call.platform, problems);
	const before = JSON.parse(String(row['fields'])) as FieldAnswer[];
	for (const { id, value } of before) {
		if (value !== null && !values.has(id)) values.set(id, value);
	}
	const tracking = JSON.parse(String(row['tracking'])) as Tracking;
	const names = Object.keys(tracking) as Array<keyof Tracking>;
	for (const name of names) tracking[name] = attributes[name] ?? tracking[name];
	const now = Math.floor(call.platform.now() / 1000);
	store.transaction(() => {
		store.write(
			'UPDATE registrations SET fields = ?, tracking = ?, updated_at = ? WHERE seq = ?',
			JSON.stringify(answersOf(form, values)),
			JSON.stringify(tracking),
			now,
			row['seq'] ?? 0,
		);
		store.update('people', String(row['id']), {
			first_name: single(values.get('first_name')) ?? row['first_name'] ?? null,
			last_name: single(values.get('last_name')) ?? row['last_name'] ?? null,
			updated_at: now,
		});
	});
	const isStale = call.platform.options.patchAnswer === 'stale';
	const after = findSessionPerson(call.platform, pathId(call, 'id'), pathId(call, 'person_id'));
	const person = isStale ? row : after;
	return { status: 200, body: { data: sessionPersonRecord(person) } };
};

export const registrationHandlers = { registerPerson, updateSessionPerson };

/** The session, or a refusal: 404 if it is unknown, 402 if the allowance is spent, 422 if it is over. */
export function sessionToRegisterFor(call: Call): OpenSession {
	const id = pathId(call, 'id');
	findSession(call.platform, id);
	if (call.platform.workspace.allowanceSpent) {
		throw new Refusal(
			402,
			"The month's allowance of active contacts is used up: nobody can be registered until it renews.",
			'allowance_reached',
		);
	}
	const session = openSession(call.platform, id);
	if ('code' in session) {
		const status = brokenRule(call.platform);
		throw new Refusal(status, `${session.message}.`, session.code);
	}
	return session;
}

/** The status for a request that is well formed and against a rule: section 7 has none but 400. */
export function brokenRule({ options }: Platform): 400 | 422 {
	return options.strict ? 400 : 422;
}

function refusalOf(platform: Platform, problems: Problem[]): Refusal {
	const { options } = platform;
	const isRegistered = problems.some(({ code }) => code === 'already_registered');
	const status = isRegistered ? statusOfRegistered(options) : brokenRule(platform);
	const wordedProblems = inWords(options, problems, problems[0]?.message.length ?? 0);
	const detail = wordedProblems.map(({ message }) => message).join('; ');
	return new Refusal(status, detail, wordedProblems[0]?.code);
}

/** Platforms with other words have said 422. */
function statusOfRegistered({ registeredStatus, errorWords }: SandboxOptions): number {
	if (registeredStatus !== '409') return Number(registeredStatus);
	return errorWords === 'other' ? 422 : 409;
}
