import type { ItemContext } from '../runContext';
import type { Registrant } from '../../form/registrant';
import { ownReason } from '../../core/people/outcome';
import { failureText } from '../../core/failures/messages';
import { asFailure, Failure } from '../../core/client/failure';
import { quote } from '../../core/values/text';
import type { JsonObject } from '../../core/values/json';
import { normalizeAddress } from '../../core/people/address';
import { isGeneratedAddress } from '../../core/dialect/publicEvents';
import { describeReplacedEmails, knownEmailUse } from '../../core/people/emailUse';
import { findByEmail, listedPersonOf } from '../../core/people/findPeople';
import type { LostAttempt } from '../../core/registration/candidate';
import { outcomeOfListed } from '../../core/registration/lostAnswer';
import { sendOne, type SentOne } from '../../core/registration/sendOne';
import { addressesOf, isRegistrant } from '../../core/people/identity';

interface RegisteredPerson {
	status: 'registered' | 'already_registered';
	person?: JsonObject;
}

/** Registers one person. Nothing is sent again where the platform would register the person twice. */
export async function registerPerson(
	item: ItemContext,
	registrant: Registrant,
	returnsExisting: boolean,
): Promise<RegisteredPerson> {
	const { sessionId } = registrant;
	const isPublic = knownEmailUse(item.sessions, sessionId) === 'replaced';
	if (isPublic) item.notes.hint(describeReplacedEmails([item.sessions.nameOf(sessionId)]));
	// Where a person who is registered already is an error, a second attempt would meet the first one, and tell that error.
	const sent = await sendOne(item, registrant, returnsExisting);
	switch (sent.kind) {
		case 'accepted':
			return checkRegistered(item, registrant, sent.person);
		case 'decided':
			return decidedByLaw(item, registrant, sent);
		case 'failed':
			throw otherRefusal(sent.failure);
		case 'alreadyRegistered': {
			const { failure } = sent;
			if (!returnsExisting) throw new Failure('already_exists', failure.request, failure);
			return await findExisting(item, registrant, sent);
		}
	}
}

function decidedByLaw(
	{ parameters, sessions, notes }: ItemContext,
	{ sessionId }: Registrant,
	{ outcome, lost, person }: Extract<SentOne, { kind: 'decided' }>,
): RegisteredPerson {
	const { status, reasons } = outcome;
	if (status === 'registered' || status === 'already_registered') {
		for (const { message } of reasons) notes.hint(message);
		return { status, person };
	}
	const isPublic = reasons.some(({ code }) => code === 'not_repeated');
	const explanation = describeReplacedEmails([sessions.nameOf(sessionId)]);
	const advice = isPublic
		? `The person may be registered, and was not sent again. ${explanation} Look for the person on the platform.`
		: ownReason('not_listed').message;
	throw parameters.parameterError(failureText(lost).title, advice);
}

/** The attempt whose answer got lost may be what registered a person who stands in the list. */
function afterLostAttempt(
	person: JsonObject,
	lost: LostAttempt,
	{ client, notes }: Pick<ItemContext, 'client' | 'notes'>,
): RegisteredPerson {
	const { clockAheadMs } = client.usage;
	const { status, reasons } = outcomeOfListed(listedPersonOf(person), lost, clockAheadMs);
	for (const { message } of reasons) notes.hint(message);
	return { status, person };
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
		item.findings.recordEmails(sessionId, 'replaced');
		item.notes.hint(describeReplacedEmails([item.sessions.nameOf(sessionId)]));
	}
	const isKept = isSent && !isReplaced && person && isRegistrant(person);
	if (isKept) item.findings.recordEmails(sessionId, 'kept');
	if (isSent || isReplaced || addresses.length === 0) return { status: 'registered', person };
	throw item.parameters.parameterError(
		'The platform answered with the registration of another person',
		`It shows ${quote(addresses[0])} instead of ${quote(email)}, who may be registered nevertheless. Look for the person on the platform.`,
	);
}

/** Finds the person who is registered already, as the platform says. What is not certain is not believed where the list shows nobody. */
async function findExisting(
	item: ItemContext,
	{ sessionId, email }: Registrant,
	{ failure: response, isCertain, lost }: Extract<SentOne, { kind: 'alreadyRegistered' }>,
): Promise<RegisteredPerson> {
	const listing = await findByEmail(item.client.send, sessionId, email).catch(asFailure);
	const [person] = listing instanceof Failure ? [] : listing;
	if (person) {
		return lost ? afterLostAttempt(person, lost, item) : { status: 'already_registered', person };
	}
	if (isCertain || listing instanceof Failure) {
		if (lost) item.notes.hint(ownReason('answer_lost').message);
		return { status: 'already_registered' };
	}
	throw otherRefusal(response);
}

/** Makes the failure for somebody who is not registered already: a 409 then has another reason, which the platform's words tell. */
function otherRefusal(response: Failure): Failure {
	const cause = response.cause === 'already_exists' ? 'unprocessable' : response.cause;
	return new Failure(cause, response.request, response);
}
