import { meaningOf } from '../failures/meaning';
import { asFailure, Failure } from '../client/failure';
import { parseJson, type JsonObject } from '../values/json';
import { attributesOf } from '../client/document';
import type { Ask } from '../client/request';
import type { Show } from '../records/simplify';
import { askForSession } from '../sessions/readSession';
import {
	asRecord,
	deliveryKey,
	rawDeliveryKey,
	readDelivery,
	type Obscurity,
	type RawDelivery,
} from '../events/delivery';
import {
	askForAttention,
	callForged,
	ignore,
	retryLater,
	type DeliveryDecision,
	type OtherDecision,
	type StartDecision,
} from './decision';
import type { DeliveryHistory } from './deliveryHistory';
import {
	isInSession,
	eventTypeOf,
	passes,
	passesTitle,
	pathOf,
	type Delivery,
	type Filters,
} from '../events/eventTypes';
import type { Worth } from './lookupBudget';
import {
	readEventOf,
	sessionFactsOf,
	withEventFacts,
	type SessionFacts,
} from '../events/sessionFacts';
import { needsTasks, rawRecordOf, readTaskItems, recordOf, type Output } from '../events/item';
import { isGenuine } from './signature';
import { judgeKey } from './subscriptionKey';
import { idOf, readDelivered } from '../records/record';
import type { TaskSource } from '../jobs/taskRecords';

export interface Settings {
	eventTypes: readonly string[];
	verify: 'auto' | 'api' | 'signature' | 'none';
	/** The secret that signatures are checked with; empty: there is none. */
	secret: string;
	/** The key in the URL of our own subscription; absent where people subscribe by hand, or check in another way. */
	ownKey?: string;
	filters: Filters;
	output: Output;
	show?: Show;
	deduplicate: boolean;
	confirmationsPerMinute: number;
}

export interface Arrival {
	body: Uint8Array;
	signature: unknown;
	/** The `key` in the query. */
	key: unknown;
	/** The `event` in the query. */
	event?: unknown;
}

/** The trigger that it arrives at. */
export interface Trigger extends Settings {
	/** Called only when the platform has to be asked, with requests that wait no longer than this for their turn. */
	connect(patienceMs: number): Promise<TaskSource>;
	history: DeliveryHistory;
}

/** The proof that the platform sent a delivery. */
type Proof = 'signature' | 'key' | 'none';

/** The proof that a delivery brings itself, or the decision where it proves the contrary. */
type ProofResult =
	{ kind: 'judged'; proof: Proof } | { kind: 'decided'; decision: DeliveryDecision };

/** A trigger at which a delivery has arrived. */
interface Arrived extends Trigger {
	proof: Proof;
	/** When it arrived, in milliseconds since 1970. */
	at: number;
}

/** A record that was delivered, and the trigger at which it has arrived. */
interface DeliveredCase extends Arrived {
	delivery: Delivery;
	/** The key of the event. */
	key: string;
}

/** A delivery that is believed. */
interface Believed {
	delivery: Delivery;
	/** The platform was asked, and the record is the one that it shows. */
	isConfirmed: boolean;
}

/** The decision after a lookup, and what it tells of the delivery. */
interface Examined {
	decision: DeliveryDecision;
	worth: Worth;
}

/** After it the platform is to come again. */
const longestWaitMs = 10_000;
/** A run starts without a title rather than later. */
const factsPatienceMs = 3_000;

const noEvent = 'This is not an event';
const notListenedTo = 'The trigger does not listen to this kind';
const excluded = 'The filters exclude it';
const repeated = 'It was received before';

/** Decides what a delivery comes to: first by what it proves, then by what it says, at last by what the platform says. */
export async function receive(arrival: Arrival, trigger: Trigger): Promise<DeliveryDecision> {
	const at = trigger.history.now();
	const result = judgeProof(arrival, trigger, at);
	if (result.kind === 'decided') return result.decision;
	let body: unknown;
	try {
		body = parseJson(new TextDecoder().decode(arrival.body));
	} catch {
		return { kind: 'unreadable', reason: 'The body is not JSON' };
	}
	const reading = readDelivery(body, { chosen: trigger.eventTypes, named: arrival.event });
	const arrived: Arrived = { ...trigger, proof: result.proof, at };
	switch (reading.form) {
		case 'none':
			return decideObscure(reading.obscurity, trigger.eventTypes);
		case 'raw':
			return await receiveRaw(reading.delivery, arrived);
		case 'record':
			return await receiveRecord(reading.delivery, arrived);
	}
}

/** Tells what shows that the platform sent a delivery; or that somebody else did. */
function judgeProof(
	{ body, signature, key }: Arrival,
	{ verify, secret, ownKey, history }: Trigger,
	at: number,
): ProofResult {
	const judged = (proof: Proof): ProofResult => ({ kind: 'judged', proof });
	const decided = (decision: DeliveryDecision): ProofResult => ({ kind: 'decided', decision });
	if (verify === 'api' || verify === 'none') return judged('none');
	// Without a key of ours, the one in a URL that people entered by hand is not our concern.
	const keyKind =
		ownKey === undefined ? 'none' : judgeKey(key, ownKey, history.subscription?.keyDigest);
	if (keyKind === 'foreign') return decided(callForged('The key is not the one of this trigger'));
	if (isGenuine(signature, body, secret, at)) return judged('signature');
	if (secret !== '') return decided(callForged('The signature is not valid'));
	if (verify === 'signature') {
		return decided(retryLater('There is no signing secret to check deliveries with'));
	}
	return judged(keyKind === 'ours' ? 'key' : 'none');
}

/** A delivery that is not read as an event starts nothing, whoever sent it. */
function decideObscure(obscurity: Obscurity, eventTypes: readonly string[]): OtherDecision {
	switch (obscurity.because) {
		case 'unrelated':
			return ignore(noEvent);
		case 'ambiguous': {
			const { candidates } = obscurity;
			return askForAttention(
				`It does not say which of the chosen events it is. It may be ${candidates.join(' or ')}. Set 'Subscription' to 'Manual' and add the event to the URL of each webhook on the platform, for example ?event=${candidates[0]}, or use an Event Platform Trigger for each of these events`,
			);
		}
		case 'severalNamed':
			return askForAttention(
				"The webhook's URL names several events. Give it one ?event= on the platform, and make a webhook for each of the other events",
			);
		case 'namedInVain':
			return askForAttention(
				`The event in the webhook's URL (?event=) is not chosen, or belongs to other records. Chosen are ${eventTypes.join(', ')}. Correct the URL on the platform, or choose the event under 'Trigger On'`,
			);
	}
}

/** A delivery that is no record is handed on as it came, where it is proven or nobody checks: nothing can confirm it. */
async function receiveRaw(delivery: RawDelivery, trigger: Arrived): Promise<DeliveryDecision> {
	const { eventTypes, verify, filters, deduplicate, history, proof, at } = trigger;
	if (!eventTypes.includes(delivery.eventType)) return ignore(notListenedTo);
	const record = asRecord(delivery);
	if (!passes(record, filters)) return ignore(excluded);
	if (proof === 'none' && verify !== 'none') {
		return askForAttention(
			"It has no ID that the API could be asked about. With 'Verify' set to 'Automatic' the key of an automatic subscription, or a signing secret in the credential, would confirm it",
		);
	}
	const key = rawDeliveryKey(delivery);
	if (deduplicate && history.has(key)) return ignore(repeated);
	if (filters.eventTitleContains !== '') {
		const facts = await readSessionFacts(record, trigger);
		const decision = decideByTitle(record, facts, key, trigger);
		if (decision !== undefined) return decision;
	}
	const keys = deduplicate ? [key] : [];
	return startRun(delivery.eventType, [rawRecordOf(delivery, at)], keys, trigger);
}

/** A delivery of a record starts a run when it is proven, believed, or borne out by what the platform shows. */
async function receiveRecord(delivery: Delivery, trigger: Arrived): Promise<DeliveryDecision> {
	const { eventTypes, verify, filters, output, deduplicate, history, proof } = trigger;
	if (!eventTypes.includes(delivery.eventType)) return ignore(notListenedTo);
	if (!passes(delivery, filters)) return ignore(excluded);
	const key = deliveryKey(delivery);
	if (deduplicate && history.has(key)) return ignore(repeated);
	const delivered: DeliveredCase = { ...trigger, delivery, key };
	const asSent: Believed = { delivery, isConfirmed: false };
	// A trigger that believes everything would read the tasks of any job that is named, however often. And somebody
	// who learns the key, for instance from the log of a proxy, would spend requests without end.
	const isFree = !needsTasks(delivery.eventType, output);
	const isBelieved = proof === 'key' || verify === 'none';
	if (proof === 'signature' || (isBelieved && isFree)) {
		return (await decideBelieved(asSent, delivered)).decision;
	}
	const examine = () => examineWithinBudget(asSent, delivered);
	// Each repetition is wanted, as in a test in the editor.
	if (!deduplicate) return await examine();
	const { decision, isShared } = await history.decideOnce(key, examine);
	const isStarted = decision.kind === 'start' || decision.kind === 'ignore';
	return isShared && isStarted ? ignore('It is being processed already') : decision;
}

/** Asks the platform, as far as the budget of the trigger goes. */
async function examineWithinBudget(
	asSent: Believed,
	delivered: DeliveredCase,
): Promise<DeliveryDecision> {
	const { history, proof, confirmationsPerMinute } = delivered;
	const ask = () => (proof === 'key' ? decideBelieved(asSent, delivered) : lookUp(delivered));
	const examined = await history.budget.lookUp(confirmationsPerMinute, ask, ({ worth }) => worth);
	return (
		examined?.decision ??
		retryLater('The requests for confirmations are used up; a key or a signature would cost none')
	);
}

/** Asks the platform, with one request, and starts the run with what it says. */
async function lookUp(delivered: DeliveredCase): Promise<Examined> {
	const { eventType, record: claimed } = delivered.delivery;
	const path = pathOf(delivered.delivery);
	if (path === undefined) return deny('The platform shows no record of this type', delivered);
	const { api } = await delivered.connect(longestWaitMs);
	const answer = await api({ method: 'GET', path, retry: 'never' }).catch(asFailure);
	if (answer instanceof Failure) {
		const { message } = answer;
		if (meaningOf(answer).denies) return deny(message, delivered);
		return { decision: retryLater(message), worth: 'unclear' };
	}
	const record = readDelivered(answer.body);
	if (record === undefined) {
		return { decision: retryLater(`${path} did not answer with a record`), worth: 'unclear' };
	}
	if (record.id !== claimed.id || eventTypeOf(eventType).isConfirmedBy?.(record) === false) {
		return deny(`${path} does not confirm it`, delivered);
	}
	record.type ||= claimed.type;
	return await decideBelieved({ delivery: { eventType, record }, isConfirmed: true }, delivered);
}

/** A person may have been unregistered, or an event deleted, since; a job is never deleted. */
function deny(reason: string, { delivery, key, history }: DeliveredCase): Examined {
	const mayBeGone = eventTypeOf(delivery.eventType).type !== 'jobs';
	const isLast = mayBeGone && history.isLastAttempt(key);
	return { decision: isLast ? ignore(reason) : callForged(reason), worth: 'forged' };
}

/** The run of a delivery that is believed, or nothing where it was started before. */
async function decideBelieved(believed: Believed, delivered: DeliveredCase): Promise<Examined> {
	const { key, deduplicate, history, filters } = delivered;
	const { delivery } = believed;
	let items: JsonObject[] = [];
	if (passes(delivery, filters)) {
		const result = await readItems(believed, delivered);
		if (!Array.isArray(result)) return result;
		items = result;
	}
	// The delivery may be a variation of one that came before: what was confirmed tells.
	const keys = deduplicate ? [key, deliveryKey(delivery)] : [];
	if (keys.some((known) => history.has(known))) {
		// A true event can be sent in endless variations, each of which costs a request.
		history.remember(keys);
		return { decision: ignore(repeated), worth: 'forged' };
	}
	const decision = startRun(delivery.eventType, items, keys, delivered);
	return { decision, worth: 'genuine' };
}

/** Starts a run, unless nothing is left to start it with. `keys`: by which the event is known when it comes again. */
function startRun(
	eventType: string,
	items: JsonObject[],
	keys: readonly string[],
	{ history, at }: Arrived,
): StartDecision | OtherDecision {
	history.remember(keys);
	if (items.length === 0) return ignore('No item is left to start a run with');
	return {
		kind: 'start',
		items,
		reason: `${eventType} starts a run`,
		onCreated: (isCreated) => {
			if (isCreated) history.recordArrival(eventType, at);
			else history.forget(keys);
		},
	};
}

/** Reads the items that the run starts with; or decides about the delivery where they cannot be read. */
async function readItems(
	{ delivery, isConfirmed }: Believed,
	delivered: DeliveredCase,
): Promise<JsonObject[] | Examined> {
	const { key, at, output, show, history } = delivered;
	if (!needsTasks(delivery.eventType, output)) {
		const sessionFacts = await readSessionFacts(delivery, delivered);
		const decision = decideByTitle(delivery, sessionFacts, key, delivered);
		if (decision !== undefined) return { decision, worth: worthOfOther(decision) };
		const { notChecked } = eventTypeOf(delivery.eventType);
		const event = { ...delivery, sessionFacts };
		return [recordOf(event, at, show, isConfirmed ? notChecked : undefined)];
	}
	const tasks = await delivered
		.connect(longestWaitMs)
		.then((source) => readTaskItems(delivery, at, output, source))
		.catch(asFailure);
	if (tasks instanceof Failure) {
		const isInvented = tasks.cause === 'not_found' && !isConfirmed;
		return isInvented
			? { decision: callForged(tasks.message), worth: 'forged' }
			: { decision: retryLater(tasks.message), worth: 'unclear' };
	}
	if (tasks.missing > 0 && !history.isLastAttempt(key)) {
		const decision = retryLater(`${tasks.missing} results of the job are not there yet`);
		return { decision, worth: 'unclear' };
	}
	return tasks.records;
}

/** Decides about a delivery that the title of its event leaves out, or whose title cannot be told. */
function decideByTitle(
	{ eventType, record }: Delivery,
	facts: SessionFacts | undefined,
	key: string,
	{ filters, history }: Arrived,
): OtherDecision | undefined {
	const isEvent = eventTypeOf(eventType).type === 'events';
	const title = isEvent ? record.attributes.title : facts?.event_title;
	if (passesTitle(eventType, title, filters)) return undefined;
	const isUnread = isInSession(eventType) && facts === undefined;
	if (!isUnread || history.isLastAttempt(key)) return ignore(excluded);
	return retryLater("The title of the event could not be read, which 'Event Title Contains' needs");
}

function worthOfOther({ kind }: OtherDecision): Worth {
	return kind === 'retryLater' ? 'unclear' : 'genuine';
}

/** One request for each session, as far as the budget goes; the run starts without the facts where they cannot be read. */
async function readSessionFacts(
	{ eventType, record }: Delivery,
	{ connect, history, confirmationsPerMinute, filters }: Arrived,
): Promise<SessionFacts | undefined> {
	const sessionId = isInSession(eventType) ? idOf('session', record) : undefined;
	if (sessionId === undefined) return undefined;
	const read = async (): Promise<SessionFacts> => {
		const { api } = await connect(factsPatienceMs);
		const ask: Ask = (request) => api({ ...request, retry: 'never' });
		const session = await askForSession(ask, sessionId);
		// A platform that does not send the event along is asked for it where its title decides.
		if (filters.eventTitleContains !== '') session.event ??= await readEventOf(ask, session);
		return sessionFactsOf(attributesOf(withEventFacts(session)));
	};
	return await history.sessionFacts(sessionId, () =>
		history.budget.lookUp(confirmationsPerMinute, read, () => 'genuine'),
	);
}
