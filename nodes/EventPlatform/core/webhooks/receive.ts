import { meaningOf } from '../failures/meaning';
import { keepLatest } from '../values/collections';
import { asFailure, Failure } from '../client/failure';
import { parseJson, type JsonObject } from '../values/json';
import { attributesOf } from '../client/document';
import type { Show } from '../records/simplify';
import { askForSession } from '../sessions/readSession';
import { titled, titlesOf, type Titles } from '../sessions/titles';
import {
	asRecord,
	deliveryKey,
	rawDeliveryKey,
	readDelivery,
	type Obscurity,
	type RawDelivery,
} from '../events/delivery';
import { reply, type DeliveryHistory, type Reply } from './deliveryHistory';
import {
	isInSession,
	eventTypeOf,
	passes,
	pathOf,
	type Delivery,
	type Filters,
} from '../events/eventTypes';
import type { Worth } from './lookupBudget';
import { needsTasks, rawRecordOf, readTaskItems, recordOf, type Output } from '../events/item';
import { isGenuine } from './signature';
import { isOurKey } from './subscriptionKey';
import { idOf, readDelivered } from '../records/record';
import type { TaskSource } from '../jobs/taskRecords';

export interface Settings {
	eventTypes: readonly string[];
	verify: 'auto' | 'api' | 'signature' | 'none';
	/** What signatures are checked against; empty: there is none. */
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

/** What shows that the platform sent a delivery. */
type Proof = 'signed' | 'keyed' | undefined;

/** The trigger, when a delivery has arrived. */
interface Proven extends Trigger {
	proof: Proof;
	/** When it arrived, in milliseconds since 1970. */
	at: number;
}

/** `key`: of the event. */
type Case = Proven & { delivery: Delivery; key: string };

/** After it the platform is to come again. */
const longestWaitMs = 10_000;
/** A title is worth less. */
const titlePatienceMs = 3_000;
const mostTitles = 200;

const noEvent = 'This is not an event';
const unheard = 'The trigger does not listen to this kind';
const excluded = 'The filters exclude it';
const repeated = 'It was received before';

/** 200: answered well, so that the platform neither comes again nor disables the subscription. */
const ignore = (reason: string, worth: Worth = 'genuine') => reply(200, reason, worth);
/** It may be genuine, and would start a run if a person changed something. */
const explain = (reason: string): Reply => ({ ...ignore(reason), needsAttention: true });
const refuse = (reason: string) => reply(401, reason, 'forged');
export const later = (reason: string) => reply(503, reason, 'unclear');

export async function receive(arrival: Arrival, trigger: Trigger): Promise<Reply> {
	const at = trigger.history.now();
	const proof = proofOf(arrival, trigger, at);
	if (typeof proof === 'object') return proof;
	let body: unknown;
	try {
		body = parseJson(new TextDecoder().decode(arrival.body));
	} catch {
		return reply(400, 'The body is not JSON', 'forged');
	}
	const reading = readDelivery(body, { chosen: trigger.eventTypes, named: arrival.event });
	if (reading.form === 'none') return unread(reading.obscurity, trigger.eventTypes);
	const proven: Proven = { ...trigger, proof, at };
	return reading.form === 'raw'
		? receiveRaw(reading.delivery, proven)
		: await receiveRecord(reading.delivery, proven);
}

/** A delivery of a record starts a run when it is proven, believed, or borne out by what the platform shows. */
async function receiveRecord(delivery: Delivery, trigger: Proven): Promise<Reply> {
	const { eventTypes, verify, filters, output, deduplicate, history, proof } = trigger;
	if (!eventTypes.includes(delivery.eventType)) return ignore(unheard);
	if (!passes(delivery, filters)) return ignore(excluded);

	const { underway, budget } = history;
	budget.perMinute = trigger.confirmationsPerMinute;
	const key = deliveryKey(delivery);
	if (deduplicate && history.has(key)) return ignore(repeated);
	const one: Case = { ...trigger, delivery, key };
	// Who believes everything would read the tasks of any job that is named, however often. And somebody who
	// learns the key, for instance from the log of a proxy, would spend requests without end.
	const isFree = !needsTasks(delivery.eventType, output);
	const isBelieved = proof === 'keyed' || verify === 'none';
	if (proof === 'signed' || (isBelieved && isFree)) return await start(delivery, one);
	const ask = () => (proof === 'keyed' ? start(delivery, one) : lookUp(one));
	const examine = async () =>
		(await budget.within(key, ask, ({ worth }) => worth)) ??
		later('The requests for confirmations are used up; a key or a signature would cost none');
	// Each repetition is wanted, as in a test in the editor.
	if (!deduplicate) return await examine();
	// Deliveries of one event that come together share one examination.
	const other = underway.get(key);
	if (other) {
		const same = await other;
		return same.status === 200 ? ignore('It is being processed already') : same;
	}
	const ours = examine().finally(() => underway.delete(key));
	underway.set(key, ours);
	return await ours;
}

/** What shows that the platform sent it: nothing, our key, or the signature; or the answer to a forgery. */
function proofOf(
	{ body, signature, key: given }: Arrival,
	{ verify, secret, ownKey, history }: Trigger,
	at: number,
): Proof | Reply {
	if (verify === 'api' || verify === 'none') return undefined;
	// Without a key of ours, the one in a URL that people entered by hand is not our concern.
	const isOurs = ownKey && isOurKey(given, ownKey, history.subscription?.keyDigest);
	if (isOurs === false) return refuse('The key is not the one of this trigger');
	if (isGenuine(signature, body, secret, at)) return 'signed';
	if (secret !== '') return refuse('The signature is not valid');
	if (verify === 'signature') return later('There is no signing secret to check deliveries with');
	return isOurs ? 'keyed' : undefined;
}

/** A delivery that is not read as an event starts nothing, whoever sent it. */
function unread(obscurity: Obscurity, eventTypes: readonly string[]): Reply {
	switch (obscurity.because) {
		case 'unrelated':
			return ignore(noEvent);
		case 'ambiguous': {
			const { candidates } = obscurity;
			return explain(
				`It does not say which of the chosen events it is. It may be ${candidates.join(' or ')}. Set 'Subscription' to 'Manual' and add the event to the URL of each webhook on the platform, for example ?event=${candidates[0]}, or use an Event Platform Trigger for each of these events`,
			);
		}
		case 'severalNamed':
			return explain(
				"The webhook's URL names several events. Give it one ?event= on the platform, and make a webhook for each of the other events",
			);
		case 'namedInVain':
			return explain(
				`The event in the webhook's URL (?event=) is not chosen, or belongs to other records. Chosen are ${eventTypes.join(', ')}. Correct the URL on the platform, or choose the event under 'Trigger On'`,
			);
	}
}

/** A delivery that is no record is handed on as it came, where it is proven or nobody checks: nothing can confirm it. */
function receiveRaw(delivery: RawDelivery, trigger: Proven): Reply {
	const { eventTypes, verify, filters, deduplicate, history, proof, at } = trigger;
	if (!eventTypes.includes(delivery.eventType)) return ignore(unheard);
	if (!passes(asRecord(delivery), filters)) return ignore(excluded);
	if (proof === undefined && verify !== 'none') {
		return explain(
			"It has no ID that the API could be asked about. With 'Verify' set to 'Automatic' the key of an automatic subscription, or a signing secret in the credential, would confirm it",
		);
	}
	const keys = deduplicate ? [rawDeliveryKey(delivery)] : [];
	if (keys.some((key) => history.has(key))) return ignore(repeated);
	return startRun(delivery.eventType, [rawRecordOf(delivery, at)], { keys, at, history });
}

/** Asks the platform, with one request, and starts the run with what it says. */
async function lookUp(one: Case): Promise<Reply> {
	const { eventType, record: claimed } = one.delivery;
	const path = pathOf(one.delivery);
	if (path === undefined) return denied('The platform shows no record of this type', one);
	const { api } = await one.connect(longestWaitMs);
	const found = await api({ method: 'GET', path, retry: 'never' }).catch(asFailure);
	if (found instanceof Failure)
		return meaningOf(found).denies ? denied(found.message, one) : later(found.message);
	const record = readDelivered(found.body);
	if (record === undefined) return later(`${path} did not answer with a record`);
	if (record.id !== claimed.id || eventTypeOf(eventType).isConfirmedBy?.(record) === false)
		return denied(`${path} does not confirm it`, one);
	record.type ||= claimed.type;
	return await start({ eventType, record }, one);
}

/** A person may have been unregistered, or an event deleted, since; a job is never deleted. */
function denied(reason: string, { delivery, key, history }: Case): Reply {
	const mayBeGone = eventTypeOf(delivery.eventType).type !== 'jobs';
	return mayBeGone && history.isLastAttempt(key) ? ignore(reason, 'forged') : refuse(reason);
}

/** The run, or nothing where it was started before. */
async function start(believed: Delivery, one: Case): Promise<Reply> {
	const { key, at, deduplicate, history } = one;
	const records = passes(believed, one.filters) ? await recordsOf(believed, one) : [];
	if (!Array.isArray(records)) return records;
	// The delivery may be a variation of one that came before: what was confirmed tells.
	const keys = deduplicate ? [key, deliveryKey(believed)] : [];
	const isRepeated = keys.some((key) => history.has(key));
	// What is true can be told in endless variations, each of which costs a request.
	if (isRepeated) for (const key of keys) history.add(key);
	if (isRepeated) return ignore(repeated, 'forged');
	return startRun(believed.eventType, records, { keys, at, history });
}

/** An event that starts a run, unless nothing is left of it. */
interface Beginning {
	/** By which it is known when it comes again; empty where each repetition is wanted. */
	keys: readonly string[];
	/** When it arrived, in milliseconds since 1970. */
	at: number;
	history: DeliveryHistory;
}

function startRun(
	eventType: string,
	records: JsonObject[],
	{ keys, at, history }: Beginning,
): Reply {
	for (const key of keys) history.add(key);
	if (records.length === 0) return ignore('No item is left to start a run with');
	const settle = (isStarted: boolean) => {
		if (isStarted) history.arrived[eventType] = at;
		// The next attempt of the platform is then not a repetition.
		else for (const key of keys) history.add(key, false);
	};
	const reason = `${eventType} starts a run`;
	return { status: 200, records, reason, worth: 'genuine', settle };
}

/** What the run starts with; or the answer where that cannot be read. */
async function recordsOf(believed: Delivery, one: Case) {
	const { key, at, output, show, history } = one;
	const wasAsked = believed !== one.delivery;
	if (!needsTasks(believed.eventType, output)) {
		const titles = await titlesFor(believed, one);
		const notChecked = wasAsked ? eventTypeOf(believed.eventType).notChecked : undefined;
		return [recordOf({ ...believed, titles }, at, show, notChecked)];
	}
	const read = await one
		.connect(longestWaitMs)
		.then((source) => readTaskItems(believed, at, output, source))
		.catch(asFailure);
	if (read instanceof Failure) {
		const isUnknown = read.cause === 'not_found' && !wasAsked;
		return isUnknown ? refuse(read.message) : later(read.message);
	}
	if (read.missing > 0 && !history.isLastAttempt(key))
		return later(`${read.missing} results of the job are not there yet`);
	return read.records;
}

/** One request for each session, as far as the budget goes; the run starts without them where they cannot be read. */
async function titlesFor({ eventType, record }: Delivery, one: Case): Promise<Titles | undefined> {
	const { titles: known, budget } = one.history;
	const session = isInSession(eventType) ? idOf('session', record) : undefined;
	if (session === undefined) return undefined;
	const read = async () => {
		const { api } = await one.connect(titlePatienceMs);
		const read = await askForSession((request) => api({ ...request, retry: 'never' }), session);
		return titlesOf(attributesOf(titled(read)));
	};
	const key = `titles ${session}`;
	const reading =
		known.get(session) ?? budget.within(key, read, () => 'genuine').catch(() => undefined);
	known.set(session, reading);
	keepLatest(known, mostTitles);
	const titles = await reading;
	// It is asked again the next time.
	if (titles === undefined) known.delete(session);
	return titles;
}
