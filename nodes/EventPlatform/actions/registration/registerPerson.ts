import type { ItemContext } from '../runContext';
import type { Registrant } from '../../form/registrant';
import { ownReason } from '../../core/people/outcome';
import { failureText } from '../../core/failures/messages';
import { meaningOf } from '../../core/failures/meaning';
import { againAfterMs } from '../../core/client/retryPolicy';
import { asFailure, Failure } from '../../core/client/failure';
import { findByEmail } from './findByEmail';
import { quote } from '../../core/values/text';
import type { JsonObject } from '../../core/values/json';
import { pathTo } from '../../core/client/path';
import type { ApiRequest, ApiResponse } from '../../core/client/request';
import { sameAddress } from '../../core/people/address';
import { isGeneratedAddress } from '../../core/dialect/publicEvents';
import { howRegisteredIsTold } from '../../core/dialect/alreadyRegistered';
import { isRegisteredAlready, personOfResponse } from '../../core/people/registrationResponse';
import { asTask } from '../../core/people/registration';
import { fieldsOf } from '../../core/records/simplify';
import { emailIsReplaced, knownEmailUse, readEmailUse } from '../../core/people/emailUse';
import { clockAheadMs } from '../../core/dialect/limitHeaders';
import { datesOf, isRegisteredSince } from '../../core/people/findPeople';
import { addressesOf } from '../../core/people/identity';

/** The outcome of the registration of one person. */
export interface RegisteredPerson {
	/** Whether this request has registered the person, or an earlier one. */
	status: 'registered' | 'already_registered';
	/** Absent where the platform shows no record. */
	person?: JsonObject;
}

/** The response to a registration, and when it was sent. */
interface Sent {
	answer: ApiResponse | Failure;
	/** When the first request left, whose answer got lost; absent: none did. */
	lostAt?: number;
}

/** Registers one person. Nothing is sent again after a 2xx, nor where the platform would register the person twice. */
export async function registerPerson(
	item: ItemContext,
	registrant: Registrant,
	returnExisting: boolean,
): Promise<RegisteredPerson> {
	const { sessionId, registration } = registrant;
	const request: ApiRequest = {
		method: 'POST',
		path: pathTo`/sessions/${sessionId}/people`,
		body: { data: { type: 'people', attributes: asTask(registration) } },
	};
	const isPublic = knownEmailUse(item.sessions, sessionId) === 'replaced';
	if (isPublic) item.notes.hint(emailIsReplaced([item.sessions.nameOf(sessionId)]));
	const { answer, lostAt } = await send(item, registrant, { request, mayRepeat: returnExisting });
	if (!(answer instanceof Failure))
		return accepted(item, registrant, personOfResponse(request, answer));
	if (isSuccess(answer)) return await lookedUp(item, registrant, answer);
	if (!isRegisteredAlready(answer)) throw otherRefusal(answer);
	if (!returnExisting) throw new Failure('already_exists', request, answer);
	return await existing(item, registrant, { answer, lostAt });
}

async function send(
	item: ItemContext,
	{ sessionId }: Registrant,
	{ request, mayRepeat }: { request: ApiRequest; mayRepeat: boolean },
): Promise<Sent> {
	const { api, clock, signal, sessions } = item;
	const lostAt = clock.now();
	const answer = await api(request).catch(asFailure);
	const isLost = answer instanceof Failure && meaningOf(answer).effectOnPerson === 'perhaps';
	if (!isLost || isSuccess(answer) || !mayRepeat) return { answer };
	if ((await readEmailUse(sessions, sessionId)) === 'replaced') {
		// Nothing would tell the second registration from the first.
		const why = emailIsReplaced([item.sessions.nameOf(sessionId)]);
		const next = `The person may be registered, and was not sent again. ${why} Look for the person on the platform.`;
		throw item.parameters.parameterError(failureText(answer).title, next);
	}
	// A second attempt finds the person registered, which is an answer here.
	await clock.sleep(againAfterMs('request', 1) ?? 0, signal);
	const second = await api({ ...request, retry: 'safe' }).catch(asFailure);
	// A second attempt that was not sent says nothing of the first one, which may have arrived.
	const isUnsent = second instanceof Failure && meaningOf(second).effectOnPerson === 'unsent';
	return { answer: isUnsent ? answer : second, lostAt };
}

/** Whether the platform said that all went well, in an answer that cannot be read. */
function isSuccess({ status = 0 }: Failure): boolean {
	return status >= 200 && status < 300;
}

function accepted(
	item: ItemContext,
	{ sessionId, email = '' }: Registrant,
	person?: JsonObject,
): RegisteredPerson {
	const addresses = person ? addressesOf(person) : [];
	const isSent = addresses.includes(sameAddress(email));
	const isReplaced = addresses.some((address) => isGeneratedAddress(address)) && !isSent;
	if (isReplaced) item.notes.hint(emailIsReplaced([item.sessions.nameOf(sessionId)]));
	if (isSent || isReplaced || addresses.length === 0) return { status: 'registered', person };
	throw item.parameters.parameterError(
		'The platform answered with the registration of another person',
		`It shows ${quote(addresses[0])} instead of ${quote(email)}, who may be registered nevertheless. Look for the person on the platform.`,
	);
}

/** The answer is no JSON, and a page may be that of a proxy: the person is registered who can be found, or of whom a plain text came. */
async function lookedUp(
	{ api }: ItemContext,
	{ sessionId, email = '' }: Registrant,
	answer: Failure,
): Promise<RegisteredPerson> {
	const listed = await findByEmail(api, sessionId, email).catch(asFailure);
	const [person] = listed instanceof Failure ? [] : listed.people;
	if (person) return { status: 'registered', person };
	// A plain text is read as the words of an error, wherever it comes from.
	const isText = answer.errors.length > 0;
	if (listed instanceof Failure && isText) return { status: 'registered' };
	throw answer;
}

/** The platform says that the person is registered already: a code decides that, words only unless the person is not there. */
async function existing(
	{ api, clock, notes }: ItemContext,
	{ sessionId, email = '' }: Registrant,
	{ answer, lostAt }: { answer: Failure; lostAt?: number },
): Promise<RegisteredPerson> {
	const listed = await findByEmail(api, sessionId, email).catch(asFailure);
	const [person] = listed instanceof Failure ? [] : listed.people;
	if (person && !(listed instanceof Failure)) {
		const aheadMs = clockAheadMs(listed.response, clock.now());
		const isOurs =
			lostAt !== undefined &&
			aheadMs !== undefined &&
			isRegisteredSince(datesOf(fieldsOf(person)), lostAt - aheadMs);
		return { person, status: isOurs ? 'registered' : 'already_registered' };
	}
	const isByCode = howRegisteredIsTold(answer.errors) === 'code';
	if (isByCode || listed instanceof Failure) {
		if (lostAt !== undefined) notes.hint(ownReason('answer_lost').message);
		return { status: 'already_registered' };
	}
	throw otherRefusal(answer);
}

/** A 409 of somebody who is not registered has another reason, which the platform's words tell. */
function otherRefusal(answer: Failure): Failure {
	const cause = answer.cause === 'already_exists' ? 'unprocessable' : answer.cause;
	return new Failure(cause, answer.request, answer);
}
