import { asFailure, Failure } from '../http/failure';
import { confirm } from './confirmation';
import { readDelivery, type Delivery } from './delivery';
import type { DeliveryHistory } from './deliveryHistory';
import { deliveryKey } from './deliveryKey';
import { passes, type Filters } from './filters';
import { kindOf } from './kinds';
import type { Lookup, Worth } from './lookupBudget';
import { ignore, later, refuse, type Outcome } from './outcome';
import { ofTasks, readOutput, type Connect, type Output } from './output';
import { isGenuine } from './signature';
import { keyState } from './subscriptionKey';

export interface Settings {
	kinds: readonly string[];
	verify: 'auto' | 'api' | 'signature' | 'none';
	/** What signatures are checked against; empty: there is none. */
	secret: string;
	/** The key in the URL of our own subscription. */
	key?: string;
	/** The digest of the key that our subscription was made with. */
	formerKeyDigest?: string;
	filters: Filters;
	output: Output;
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
	if (delivery === undefined) return ignore('This is no event');
	if (!settings.kinds.includes(delivery.kind)) return ignore('This kind is not listened to');
	if (!passes(delivery, settings.filters)) return ignore('The filters leave it out');

	const isProven = proof === 'proven';
	const examination = () => examine({ delivery, isProven, at: arrival.at }, settings, parts);
	if (!settings.deduplicate) return await examination();
	const { seen, examinations } = parts.history;
	const key = deliveryKey(delivery);
	if (seen.has(key)) return ignore('It came before');
	// One that is proven does not wait for a lookup of one that is not.
	const flight = isProven ? `${key} proven` : key;
	// A denial does not hold for those who came meanwhile: the job may just have ended.
	const { result, mine } = await examinations.join(
		flight,
		examination,
		({ status }) => status !== 401,
	);
	if (mine) return result;
	return result.status === 200 ? ignore('It came at the same time') : { ...result, records: [] };
}

/** Whether the delivery itself shows that the platform sent it, or the answer to one that is forged. */
function proofOf(arrival: Arrival, settings: Settings): 'proven' | 'missing' | Outcome {
	const { verify, secret, key, formerKeyDigest } = settings;
	if (verify === 'api' || verify === 'none') return 'missing';
	if (verify === 'auto') {
		const state = keyState(arrival.key, key, formerKeyDigest);
		if (state === 'right') return 'proven';
		if (state === 'wrong') return refuse('The key is not the one of this trigger');
		if (secret === '') return 'missing';
	}
	if (secret === '') return later('There is no signing secret to check deliveries with');
	const signed = { header: arrival.signature, body: arrival.body };
	return isGenuine(signed, secret, arrival.at) ? 'proven' : refuse('The signature is not valid');
}

interface Claim {
	delivery: Delivery;
	isProven: boolean;
	at: number;
}

/** Looks the delivery up where that is necessary, within the budget. */
async function examine(claim: Claim, settings: Settings, parts: Parts): Promise<Outcome> {
	const { delivery, isProven, at } = claim;
	const { budget } = parts.history;
	// Who believes everything would read the tasks of any job that is named, however often.
	const isBelieved = isProven || (settings.verify === 'none' && !ofTasks(delivery, settings));
	if (isBelieved) {
		const started = await start(delivery, { delivery, at }, settings, parts);
		return started.outcome;
	}
	const lookup = budget.take(deliveryKey(delivery), parts.now(), settings.confirmationsPerMinute);
	if (lookup === undefined) {
		return later(
			'The requests for confirmations are used up; a key or a signature would cost none',
		);
	}
	let worth: Worth = 'unclear';
	try {
		const examined = await lookUp(lookup, claim, settings, parts);
		worth = examined.worth;
		return examined.outcome;
	} finally {
		budget.settle(lookup, worth, parts.now());
	}
}

interface Examined {
	outcome: Outcome;
	worth: Worth;
}

async function lookUp(
	{ key }: Lookup,
	{ delivery, at }: Claim,
	settings: Settings,
	parts: Parts,
): Promise<Examined> {
	const { history, now, requestClock } = parts;
	const { api } = await parts.connect();
	const finding = await confirm(delivery, api, requestClock() + longestWaitMs);
	if ('unclear' in finding) {
		const worth = api.usage.requests === 0 ? 'unasked' : 'unclear';
		return { outcome: later(finding.unclear), worth };
	}
	if ('denied' in finding) {
		// A person may have been unregistered, or an event deleted, since; a job is never deleted.
		const mayBeGone = kindOf(delivery.kind).subject !== 'job';
		const isGone = mayBeGone && history.lastAttempts.isOne(key, now());
		return { outcome: isGone ? ignore(finding.denied) : refuse(finding.denied), worth: 'forged' };
	}
	const confirmed = { kind: delivery.kind, record: finding.confirmed };
	if (settings.deduplicate && history.seen.has(deliveryKey(confirmed))) {
		// What is true can be told in endless variations, each of which costs a request.
		history.seen.add(key);
		return { outcome: ignore('It came before'), worth: 'forged' };
	}
	const { notChecked } = kindOf(delivery.kind);
	return await start(confirmed, { delivery, at, notChecked }, settings, parts);
}

/** Starts the run with what is believed. */
async function start(
	believed: Delivery,
	{ delivery, at, notChecked }: { delivery: Delivery; at: number; notChecked?: string },
	settings: Settings,
	{ connect, history, now, requestClock }: Parts,
): Promise<Examined> {
	const { seen, lastAttempts } = history;
	const { output, filters, deduplicate } = settings;
	const unclear = (outcome: Outcome): Examined => ({ outcome, worth: 'unclear' });
	const genuine = (outcome: Outcome): Examined => ({ outcome, worth: 'genuine' });

	const deadline = requestClock() + longestWaitMs;
	const nothing = { records: [], missing: 0 };
	const read = passes(believed, filters)
		? await readOutput(believed, { at, output, connect, deadline, notChecked }).catch(asFailure)
		: nothing;
	if (read instanceof Failure) {
		// Of a job that was believed without asking.
		const isUnknown = read.reason === 'not_found' && believed === delivery;
		return unclear(isUnknown ? refuse(read.message) : later(read.message));
	}
	const key = deliveryKey(delivery);
	if (read.missing > 0 && !lastAttempts.isOne(key, now())) {
		const outcome = later(`${read.missing} results of the job are not there yet`);
		return { outcome, worth: 'incomplete' };
	}
	// The delivery may be a variation of one that came before: what was confirmed tells.
	const keys = deduplicate ? [key, deliveryKey(believed)] : [];
	const isRepeated = keys.some((one) => seen.has(one));
	for (const one of keys) seen.add(one);
	if (isRepeated) return genuine(ignore('It came before'));
	if (read.records.length === 0) return genuine(ignore('There is nothing to start a run with'));
	const forget = () => keys.forEach((one) => seen.forget(one));
	const reason = `${believed.kind} starts a run`;
	return genuine({ status: 200, records: read.records, reason, forget });
}

function parse(body: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder().decode(body)) as unknown;
	} catch {
		return undefined;
	}
}
