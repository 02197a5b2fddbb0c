import { asFailure, Failure } from '../http/failure';
import { parseJson } from '../http/json';
import type { JsonObject } from '../http/ports';
import type { Show } from '../records/simplify';
import { confirm } from './confirmation';
import { deliveryKey, readDelivery, type Delivery } from './delivery';
import { ignore, later, refuse, type DeliveryHistory, type Outcome } from './deliveryHistory';
import { passes, type Filters } from './filters';
import { kindOf } from './kinds';
import type { Worth } from './lookupBudget';
import { hasTitles, ofTasks, readOutput, type Connect, type Output } from './output';
import { sessionOf } from './record';
import { isGenuine } from './signature';
import { keyState } from './subscriptionKey';
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

	const { history, now } = parts;
	const key = deliveryKey(delivery);
	if (settings.deduplicate && history.seen.has(key)) return ignore('It was received before');
	const one: Case = { ...parts, delivery, at: arrival.at, settings };
	// Who believes everything would read the tasks of any job that is named, however often. And somebody who
	// learns the key, for instance from the log of a proxy, would spend requests without end.
	const isFree = !ofTasks(delivery, settings);
	const isBelieved = proof === 'keyed' || settings.verify === 'none';
	if (proof === 'signed' || (isBelieved && isFree)) return await start(delivery, one);
	const examine = async () => {
		const limits = { perMinute: settings.confirmationsPerMinute, now };
		const found = await history.budget.within(key, limits, () =>
			proof === 'keyed' ? startKeyed(one) : lookUp(one),
		);
		return found?.outcome ?? overBudget;
	};
	return await (settings.deduplicate ? history.together(key, examine) : examine());
}

const overBudget = later(
	'The requests for confirmations are used up; a key or a signature would cost none',
);

/** What shows that the platform sent it: nothing, our key, or the signature; or the answer to a forgery. */
function proofOf(arrival: Arrival, settings: Settings): 'signed' | 'keyed' | 'missing' | Outcome {
	const { verify, secret, key, formerKeyDigest } = settings;
	if (verify === 'api' || verify === 'none') return 'missing';
	if (verify === 'auto') {
		// Without a key of ours, the one in a URL that people entered by hand is not our concern.
		const state = key === undefined ? 'absent' : keyState(arrival.key, key, formerKeyDigest);
		if (state === 'wrong') return refuse('The key is not the one of this trigger');
		if (secret === '') return state === 'right' ? 'keyed' : 'missing';
	}
	if (secret === '') return later('There is no signing secret to check deliveries with');
	const signed = { header: arrival.signature, body: arrival.body };
	return isGenuine(signed, secret, arrival.at) ? 'signed' : refuse('The signature is not valid');
}

interface Examined {
	outcome: Outcome;
	worth: Worth;
}

/** Starts the run with what brings the key and costs requests. */
async function startKeyed(one: Case): Promise<Examined> {
	const outcome = await start(one.delivery, one);
	const worths: Partial<Record<Outcome['status'], Worth>> = { 200: 'genuine', 503: 'unclear' };
	return { outcome, worth: worths[outcome.status] ?? 'forged' };
}

/** Asks the platform, and starts the run with what it says. */
async function lookUp(one: Case): Promise<Examined> {
	const { delivery, settings, history, now, requestClock } = one;
	const { subject, notChecked } = kindOf(delivery.kind);
	const { api } = await one.connect();
	const finding = await confirm(delivery, api, requestClock() + longestWaitMs);
	if ('unclear' in finding) return { outcome: later(finding.unclear), worth: 'unclear' };
	if ('denied' in finding) {
		// A person may have been unregistered, or an event deleted, since; a job is never deleted.
		const isGone = subject !== 'job' && history.isLastAttempt(deliveryKey(delivery), now());
		const outcome = isGone ? ignore(finding.denied) : refuse(finding.denied);
		return { outcome, worth: 'forged' };
	}
	const confirmed = { kind: delivery.kind, record: finding.confirmed };
	// What is true can be told in endless variations, each of which costs a request.
	const isVariation = settings.deduplicate && history.seen.has(deliveryKey(confirmed));
	const outcome = await start(confirmed, one, notChecked);
	if (outcome.status !== 200) return { outcome, worth: 'unclear' };
	return { outcome, worth: isVariation ? 'forged' : 'genuine' };
}

/** Starts the run with what is believed. */
async function start(believed: Delivery, one: Case, notChecked?: string): Promise<Outcome> {
	const { delivery, at, connect, history, now, requestClock } = one;
	const { output, filters, show } = one.settings;
	if (!passes(believed, filters)) return remembered(believed, one, []);
	const deadline = requestClock() + longestWaitMs;
	const titles = await titlesFor(believed, one);
	const reading = { at, output, connect, deadline };
	const read = await readOutput(believed, { ...reading, show, notChecked, titles }).catch(
		asFailure,
	);
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
	if (isRepeated) return ignore('It was received before');
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
	const { history, now, requestClock, connect, settings } = one;
	const session = hasTitles(believed) ? sessionOf(believed.record) : undefined;
	if (session === undefined) return undefined;
	const read = async (): Promise<{ titles?: Titles; worth: Worth }> => {
		const titles = await history.titles.of(session, connect, requestClock()).catch(asFailure);
		if (!(titles instanceof Failure)) return { titles, worth: 'genuine' };
		return { worth: titles.reason === 'not_found' ? 'forged' : 'unclear' };
	};
	const limits = { perMinute: settings.confirmationsPerMinute, now };
	const found = history.titles.has(session)
		? await read()
		: await history.budget.within(`titles ${session}`, limits, read);
	return found?.titles;
}

function parse(body: Uint8Array): unknown {
	try {
		return parseJson(new TextDecoder().decode(body));
	} catch {
		return undefined;
	}
}
