import { meaningOf } from '../failures/causes';
import { asFailure, Failure } from '../http/failure';
import { parseJson } from '../http/json';
import type { JsonObject } from '../http/ports';
import type { Show } from '../records/simplify';
import { deliveryKey, readDelivery } from './delivery';
import { ignore, later, refuse, type DeliveryHistory, type Outcome } from './deliveryHistory';
import { kindOf, passes, type Filters } from './kinds';
import type { Worth } from './lookupBudget';
import { ofTasks, readTaskItems, recordOf, type Connect, type Output } from './output';
import { readDelivered, sessionOf, type Delivery } from './record';
import { isGenuine } from './signature';
import { isOurKey } from './subscriptionKey';
import type { Titles } from './titles';

export interface Settings {
	kinds: readonly string[];
	verify: 'auto' | 'api' | 'signature' | 'none';
	/** What signatures are checked against; empty: there is none. */
	secret: string;
	/** The key in the URL of our own subscription; absent where people subscribe by hand. */
	key?: string;
	/** The digest of the key that our subscription was made with. */
	formerKeyDigest?: string;
	filters: Filters;
	output: Output;
	/** Which fields of a record are shown; absent: all. */
	show?: Show;
	deduplicate: boolean;
	confirmationsPerMinute: number;
}

/** What arrived at the webhook's address. */
export interface Arrival {
	body: Uint8Array;
	signature: unknown;
	/** The `key` in the query. */
	key: unknown;
	/** Milliseconds since 1970. */
	at: number;
}

export interface Parts {
	/** Called only when the platform has to be asked. */
	connect: Connect;
	history: DeliveryHistory;
	now: () => number;
	/** The clock of requests, which never goes back; what is stored has the times of the other. */
	requestClock: () => number;
}

/** Requests wait for their turn among others no longer than this; then the platform is to come again. */
const longestWaitMs = 10_000;

interface Case extends Parts {
	delivery: Delivery;
	/** When it arrived. */
	at: number;
	settings: Settings;
}

/** Decides what a delivery is worth. */
export async function receive(
	arrival: Arrival,
	settings: Settings,
	parts: Parts,
): Promise<Outcome> {
	const proof = proofOf(arrival, settings);
	if (typeof proof === 'object') return proof;
	const body = parse(arrival.body);
	if (body === undefined) return { status: 400, records: [], reason: 'The body is not JSON' };
	const delivery = readDelivery(body, settings.kinds);
	if (delivery === undefined) return ignore('This is not an event');
	if (!settings.kinds.includes(delivery.kind))
		return ignore('The trigger does not listen to this kind');
	if (!passes(delivery, settings.filters)) return ignore('The filters exclude it');

	const { history } = parts;
	const key = deliveryKey(delivery);
	if (settings.deduplicate && history.seen.has(key)) return ignore('It was received before');
	const one: Case = { ...parts, delivery, at: arrival.at, settings };
	// Who believes everything would read the tasks of any job that is named, however often. And somebody who
	// learns the key, for instance from the log of a proxy, would spend requests without end.
	const isFree = !ofTasks(delivery, settings);
	const isBelieved = proof === 'keyed' || settings.verify === 'none';
	if (proof === 'signed' || (isBelieved && isFree)) return await start(delivery, one);
	const examine = () => (proof === 'keyed' ? start(delivery, one) : lookUp(one));
	const within = async () => (await withinBudget(one, key, examine, worthOf)) ?? overBudget;
	return await (settings.deduplicate ? history.together(key, within) : within());
}

const overBudget = later(
	'The requests for confirmations are used up; a key or a signature would cost none',
);

/** What shows that the platform sent it: nothing, our key, or the signature; or the answer to a forgery. */
function proofOf(arrival: Arrival, settings: Settings): 'signed' | 'keyed' | undefined | Outcome {
	const { verify, secret, key, formerKeyDigest } = settings;
	if (verify === 'api' || verify === 'none') return undefined;
	if (verify === 'auto') {
		// Without a key of ours, the one in a URL that people entered by hand is not our concern.
		const isOurs = key === undefined ? undefined : isOurKey(arrival.key, key, formerKeyDigest);
		if (isOurs === false) return refuse('The key is not the one of this trigger');
		if (secret === '') return isOurs ? 'keyed' : undefined;
	}
	if (secret === '') return later('There is no signing secret to check deliveries with');
	const signed = { header: arrival.signature, body: arrival.body };
	return isGenuine(signed, secret, arrival.at) ? 'signed' : refuse('The signature is not valid');
}

function withinBudget<T>(
	{ history, settings, now }: Case,
	key: string,
	lookUp: () => Promise<T>,
	worthOf: (found: T) => Worth,
): Promise<T | undefined> {
	const limits = { perMinute: settings.confirmationsPerMinute, now };
	return history.budget.within(key, limits, lookUp, worthOf);
}

function worthOf({ status, provesNothing }: Outcome): Worth {
	if (status === 503) return 'unclear';
	return status === 200 && !provesNothing ? 'genuine' : 'forged';
}

/** Asks the platform, with one request, and starts the run with what it says. */
async function lookUp(one: Case): Promise<Outcome> {
	const { delivery, connect, requestClock } = one;
	const { path: pathOf, isBorneOut, notChecked } = kindOf(delivery.kind);
	if (pathOf === undefined) return denied('The platform shows no record of this type', one);
	const { api } = await connect();
	const path = pathOf(delivery.record);
	const deadline = requestClock() + longestWaitMs;
	const answer = await api({ method: 'GET', path, deadline, once: true }).catch(asFailure);
	if (answer instanceof Failure) {
		const { message } = answer;
		return meaningOf(answer).denies ? denied(message, one) : later(message);
	}
	const record = readDelivered(answer.body);
	if (record === undefined) return later(`${path} did not answer with a record`);
	if (record.id !== delivery.record.id || !isBorneOut(record))
		return denied(`${path} does not confirm it`, one);
	record.type ||= delivery.record.type;
	return await start({ kind: delivery.kind, record }, one, notChecked);
}

/** A person may have been unregistered, or an event deleted, since; a job is never deleted. */
function denied(reason: string, { delivery, history, now }: Case): Outcome {
	const isGone =
		kindOf(delivery.kind).subject !== 'job' && history.isLastAttempt(deliveryKey(delivery), now());
	return isGone ? ignore(reason, true) : refuse(reason);
}

/** Starts the run with what is believed. */
async function start(believed: Delivery, one: Case, notChecked?: string): Promise<Outcome> {
	const { delivery, at, connect, history, now, requestClock } = one;
	const { output, filters, show } = one.settings;
	if (!passes(believed, filters)) return remembered(believed, one, []);
	if (!ofTasks(believed, { output })) {
		const titles = await titlesFor(believed, one);
		return remembered(believed, one, [recordOf({ ...believed, titles }, at, show, notChecked)]);
	}
	const deadline = requestClock() + longestWaitMs;
	const read = await readTaskItems(believed, { at, output, connect, deadline }).catch(asFailure);
	if (read instanceof Failure) {
		// Of a job that was believed without asking.
		const isUnknown = read.reason === 'not_found' && believed === delivery;
		return isUnknown ? refuse(read.message) : later(read.message);
	}
	if (read.missing > 0 && !history.isLastAttempt(deliveryKey(delivery), now())) {
		return later(`${read.missing} results of the job are not there yet`);
	}
	return remembered(believed, one, read.records);
}

/** The run, or nothing where it was started before. */
function remembered(
	believed: Delivery,
	{ delivery, at, settings, history, now }: Case,
	records: JsonObject[],
): Outcome {
	// The delivery may be a variation of one that came before: what was confirmed tells.
	const keys = settings.deduplicate ? [deliveryKey(delivery), deliveryKey(believed)] : [];
	const isRepeated = keys.some((key) => history.seen.has(key));
	for (const key of keys) history.seen.add(key, now());
	// What is true can be told in endless variations, each of which costs a request.
	if (isRepeated) return ignore('It was received before', true);
	if (records.length === 0) return ignore('No item is left to start a run with');
	const settle = (isStarted: boolean) => {
		if (isStarted) history.arrived[believed.kind] = at;
		// The next attempt of the platform is then not a repetition.
		else for (const key of keys) history.seen.forget(key);
	};
	return { status: 200, records, reason: `${believed.kind} starts a run`, settle };
}

/** One request for each session, as far as the budget goes; the run starts without them where they cannot be read. */
async function titlesFor(believed: Delivery, one: Case): Promise<Titles | undefined> {
	const { history, requestClock, connect } = one;
	const session = kindOf(believed.kind).hasTitles ? sessionOf(believed.record) : undefined;
	if (session === undefined) return undefined;
	const read = () => history.titles.of(session, connect, requestClock()).catch(asFailure);
	const titles = history.titles.has(session)
		? await read()
		: await withinBudget(one, `titles ${session}`, read, (found) => {
				if (!(found instanceof Failure)) return 'genuine';
				return found.reason === 'not_found' ? 'forged' : 'unclear';
			});
	return titles instanceof Failure ? undefined : titles;
}

function parse(body: Uint8Array): unknown {
	try {
		return parseJson(new TextDecoder().decode(body));
	} catch {
		return undefined;
	}
}
