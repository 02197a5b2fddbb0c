import type { ItemContext } from '../runContext';
import type { Registrant } from '../../form/registrant';
import { ownReason } from '../../core/people/outcome';
import { failureText } from '../../core/failures/messages';
import { meaningOf } from '../../core/failures/meaning';
import { asFailure, Failure } from '../../core/client/failure';
import { quote } from '../../core/values/text';
import type { JsonObject } from '../../core/values/json';
import { pathTo } from '../../core/client/path';
import type { ApiRequest, ApiResponse } from '../../core/client/request';
import { normalizeAddress } from '../../core/people/address';
import { isGeneratedAddress } from '../../core/dialect/publicEvents';
import { howRegisteredIsTold } from '../../core/dialect/alreadyRegistered';
import { isRegisteredAlready, personOfResponse } from '../../core/people/registrationResponse';
import { asTask } from '../../core/people/registration';
import { describeReplacedEmails, knownEmailUse, readEmailUse } from '../../core/people/emailUse';
import { findByEmail, listedPersonOf } from '../../core/people/findPeople';
import {
	afterLostAnswer,
	outcomeOfListed,
	showsThatEmailsAreKept,
	pauseForOnePersonMs,
	type LostAttempt,
} from '../../core/registration/lostAnswer';
import { addressesOf, mayBeRegistrant } from '../../core/people/identity';

export interface RegisteredPerson {
	status: 'registered' | 'already_registered';
	person?: JsonObject;
}

interface RegistrationAttempt {
	request: ApiRequest;
	response: ApiResponse | Failure;
	/** When the first request left, if its response got lost; absent where none got lost. */
	lostAt?: number;
	listed?: RegisteredPerson;
}

/** Registers one person. Nothing is sent again after a 2xx, nor where the platform would register the person twice. */
export async function registerPerson(
	item: ItemContext,
	registrant: Registrant,
	returnsExisting: boolean,
): Promise<RegisteredPerson> {
	const { sessionId } = registrant;
	const isPublic = knownEmailUse(item.sessions, sessionId) === 'replaced';
	if (isPublic) item.notes.hint(describeReplacedEmails([item.sessions.nameOf(sessionId)]));
	const attempt = await sendRegistration(item, registrant, returnsExisting);
	const { request, response, lostAt, listed } = attempt;
	if (listed) return listed;
	if (!(response instanceof Failure))
		return checkRegistered(item, registrant, personOfResponse(request, response));
	if (isSuccess(response)) return await lookUpPerson(item, registrant, response);
	if (!isRegisteredAlready(response)) throw otherRefusal(response);
	if (!returnsExisting) throw new Failure('already_exists', request, response);
	return await findExisting(item, registrant, { response, lostAt });
}

async function sendRegistration(
	item: ItemContext,
	registrant: Registrant,
	mayRepeat: boolean,
): Promise<RegistrationAttempt> {
	const { client, clock, signal, sessions, seen } = item;
	const { sessionId } = registrant;
	const { request, response, sentAt: lostAt } = await sendInForm(item, registrant);
	const isLost = response instanceof Failure && meaningOf(response).effectOnPerson === 'perhaps';
	// Where a person who is registered already is an error, a second attempt would meet the first one, and tell that error.
	if (!isLost || isSuccess(response) || !mayRepeat) return { request, response };
	const decision = afterLostAnswer(
		seen.emailsAre(sessionId) ?? (await readEmailUse(sessions, sessionId)),
	);
	if (decision === 'sendNobody') {
		const explanation = describeReplacedEmails([sessions.nameOf(sessionId)]);
		const advice = `The person may be registered, and was not sent again. ${explanation} Look for the person on the platform.`;
		throw item.parameters.parameterError(failureText(response).title, advice);
	}
	await clock.sleep(pauseForOnePersonMs, signal);
	if (decision === 'askTheList') {
		const listed = await findLost(item, registrant, lostAt);
		if (listed) return { request, response, lostAt, listed };
		throw item.parameters.parameterError(
			failureText(response).title,
			ownReason('not_listed').message,
		);
	}
	// A second attempt finds the person registered, which is a good result here.
	const secondResponse = await client.send({ ...request, retry: 'safe' }).catch(asFailure);
	// A second attempt that was not sent says nothing of the first one, which may have arrived.
	const isUnsent =
		secondResponse instanceof Failure && meaningOf(secondResponse).effectOnPerson === 'unsent';
	return { request, response: isUnsent ? response : secondResponse, lostAt };
}

interface SentRegistration extends Pick<RegistrationAttempt, 'request' | 'response'> {
	sentAt: number;
}

async function sendInForm(
	item: ItemContext,
	{ sessionId, registration }: Pick<Registrant, 'sessionId' | 'registration'>,
	isPlain = item.seen.plainForm.isNeeded === true,
): Promise<SentRegistration> {
	const { client, clock, seen } = item;
	const { plainForm } = seen;
	const sentAt = clock.now();
	const request: ApiRequest = {
		method: 'POST',
		path: pathTo`/sessions/${sessionId}/people`,
		body: {
			data: { type: 'people', attributes: asTask(registration, isPlain) },
		},
	};
	const response = await client.send(request).catch(asFailure);
	const isRefused = response instanceof Failure;
	if (isRefused && !isPlain && plainForm.mayHelp([registration], response)) {
		return await sendInForm(item, { sessionId, registration }, true);
	}
	if (!isRefused) plainForm.recordAccepted([registration], isPlain);
	return { request, response, sentAt };
}

async function findLost(
	{ client, notes }: ItemContext,
	{ sessionId, email }: Registrant,
	lostAt: number,
): Promise<RegisteredPerson | undefined> {
	const listing = await findByEmail(client.send, sessionId, email).catch(asFailure);
	if (listing instanceof Failure) return undefined;
	const attempt: LostAttempt = { lostAt, clockAheadMs: client.usage.clockAheadMs };
	for (const person of listing.people) {
		if (showsThatEmailsAreKept(listedPersonOf(person), attempt)) {
			return afterLostAttempt(person, attempt, notes);
		}
	}
	return undefined;
}

/** The attempt whose answer got lost may be what registered a person who stands in the list. */
function afterLostAttempt(
	person: JsonObject,
	attempt: LostAttempt,
	notes: ItemContext['notes'],
): RegisteredPerson {
	const { status, reasons } = outcomeOfListed(listedPersonOf(person), attempt);
	for (const { message } of reasons) notes.hint(message);
	return { status, person };
}

function isSuccess({ status = 0 }: Failure): boolean {
	return status >= 200 && status < 300;
}

/** Throws where the response holds the record of another person. */
function checkRegistered(
	item: ItemContext,
	{ sessionId, email }: Registrant,
	person?: JsonObject,
): RegisteredPerson {
	const addresses = person ? addressesOf(person) : [];
	const isSent = addresses.includes(normalizeAddress(email));
	const isReplaced = addresses.some((address) => isGeneratedAddress(address));
	if (isReplaced) {
		item.seen.publicSessions.add(sessionId);
		item.notes.hint(describeReplacedEmails([item.sessions.nameOf(sessionId)]));
	}
	const isKept = isSent && !isReplaced && person && mayBeRegistrant(person);
	if (isKept) item.seen.sessionsThatKeepEmails.add(sessionId);
	if (isSent || isReplaced || addresses.length === 0) return { status: 'registered', person };
	throw item.parameters.parameterError(
		'The platform answered with the registration of another person',
		`It shows ${quote(addresses[0])} instead of ${quote(email)}, who may be registered nevertheless. Look for the person on the platform.`,
	);
}

/**
 * Decides about a response that is no JSON, which may be the page of a proxy. The person is registered if the platform finds the
 * person, or if it cannot tell and the response is a plain text.
 */
async function lookUpPerson(
	{ client }: ItemContext,
	{ sessionId, email }: Registrant,
	response: Failure,
): Promise<RegisteredPerson> {
	const listing = await findByEmail(client.send, sessionId, email).catch(asFailure);
	const [person] = listing instanceof Failure ? [] : listing.people;
	if (person) return { status: 'registered', person };
	// A plain text is read as the words of an error, wherever it comes from.
	const isText = response.errors.length > 0;
	if (listing instanceof Failure && isText) return { status: 'registered' };
	throw response;
}

/**
 * Finds the person who is registered already, as the platform says. Where a code says so, that decides; where only words say so,
 * the person has to be found as well, unless the list cannot be read: then nothing speaks against the words.
 */
async function findExisting(
	{ client, notes }: ItemContext,
	{ sessionId, email }: Registrant,
	{ response, lostAt }: { response: Failure; lostAt?: number },
): Promise<RegisteredPerson> {
	const listing = await findByEmail(client.send, sessionId, email).catch(asFailure);
	const [person] = listing instanceof Failure ? [] : listing.people;
	if (person && !(listing instanceof Failure)) {
		if (lostAt === undefined) return { status: 'already_registered', person };
		const { clockAheadMs } = client.usage;
		return afterLostAttempt(person, { lostAt, clockAheadMs }, notes);
	}
	const isByCode = howRegisteredIsTold(response.errors) === 'code';
	if (isByCode || listing instanceof Failure) {
		if (lostAt !== undefined) notes.hint(ownReason('answer_lost').message);
		return { status: 'already_registered' };
	}
	throw otherRefusal(response);
}

/** Makes the failure for somebody who is not registered already: a 409 then has another reason, which the platform's words tell. */
function otherRefusal(response: Failure): Failure {
	const cause = response.cause === 'already_exists' ? 'unprocessable' : response.cause;
	return new Failure(cause, response.request, response);
}
