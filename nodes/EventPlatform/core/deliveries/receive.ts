import { asFailure, Failure } from '../http/failure';
import type { Api, JsonObject } from '../http/ports';
import { Allowance, type Worth } from './lookupBudget';
import { confirm } from './confirmation';
import { Memory, Queue } from './deduplication';
import { readDelivery, type Delivery } from './delivery';
import { passes, type Filters } from './filters';
import { deliveryKey } from './deliveryKey';
import { readOutput, type Output } from './output';
import { Patience } from './goneRecords';
import { isGenuine } from './signature';

export interface Settings {
	kinds: readonly string[];
	verify: 'api' | 'signature' | 'none';
	/** What signatures are checked against. */
	secret: string;
	filters: Filters;
	output: Output;
	deduplicate: boolean;
	confirmationsPerMinute: number;
}

/** What arrived at the webhook's address. */
export interface Arrival {
	body: Uint8Array;
	signature: unknown;
	/** Milliseconds since 1970. */
	at: number;
}

export interface Outcome {
	/** 503 and 400 make the platform deliver again; 401 tells a forger nothing. */
	status: 200 | 400 | 401 | 503;
	/** What the run starts with; none: it does not start. */
	records: JsonObject[];
	/** For the log. */
	reason: string;
	/** Where n8n cannot create the run: the next attempt is then not a repetition. */
	forget?: () => void;
}

/** What is known of the deliveries to one trigger, for as long as the process lives. */
export class Knowledge {
	readonly memory = new Memory(10_000);
	readonly queue = new Queue<Outcome>();
	readonly patience = new Patience(1_000);

	constructor(readonly allowance = new Allowance()) {}
}

export interface Parts {
	/** Called only when the platform has to be asked. */
	connect: () => Promise<Api>;
	knowledge: Knowledge;
	now: () => number;
}

/** Requests wait for their turn among others no longer than this; then the platform is to come again. */
const longestWaitMs = 10_000;

/** Decides what a delivery is worth. */
export async function receive(
	arrival: Arrival,
	settings: Settings,
	parts: Parts,
): Promise<Outcome> {
	if (settings.verify === 'signature') {
		if (settings.secret === '') return later('There is no signing secret to check deliveries with');
		const signed = { header: arrival.signature, body: arrival.body };
		const isValid = isGenuine(signed, settings.secret, arrival.at);
		if (!isValid) return refuse('The signature is not valid');
	}
	const body = parse(arrival.body);
	if (body === undefined) return { status: 400, records: [], reason: 'The body is not JSON' };
	const delivery = readDelivery(body, settings.kinds);
	if (delivery === undefined) return ignore('This is no event');
	if (!settings.kinds.includes(delivery.kind)) return ignore('This kind is not listened to');
	if (!passes(delivery, settings.filters)) return ignore('The filters leave it out');

	const examination = () => examine(delivery, arrival.at, settings, parts);
	if (!settings.deduplicate) return await examination();
	const { memory, queue } = parts.knowledge;
	const key = deliveryKey(delivery);
	if (memory.has(key)) return ignore('It came before');
	// A denial does not hold for those who came meanwhile: the job may just have ended.
	const { result, mine } = await queue.join(key, examination, ({ status }) => status !== 401);
	if (mine) return result;
	return result.status === 200 ? ignore('It came at the same time') : { ...result, records: [] };
}

async function examine(
	delivery: Delivery,
	at: number,
	settings: Settings,
	parts: Parts,
): Promise<Outcome> {
	const deadline = at + longestWaitMs;
	const believed = await believe(delivery, deadline, settings, parts);
	if ('status' in believed) return believed;

	const reading = { at, output: settings.output, connect: parts.connect, deadline };
	const isWanted = passes(believed, settings.filters);
	const records = isWanted ? await readOutput(believed, reading).catch(asFailure) : [];
	if (records instanceof Failure) {
		// Of a job that was believed without asking.
		return records.reason === 'not_found' ? refuse(records.message) : later(records.message);
	}
	const { memory } = parts.knowledge;
	// The delivery may be a variation of one that came before: what was confirmed tells.
	const keys = settings.deduplicate ? [deliveryKey(delivery), deliveryKey(believed)] : [];
	const isRepeated = keys.some((key) => memory.has(key));
	for (const key of keys) memory.add(key);
	if (isRepeated) return ignore('It came before');
	if (records.length === 0) return ignore('There is nothing to start a run with');
	const forget = () => keys.forEach((key) => memory.forget(key));
	return { status: 200, records, reason: `${believed.kind} starts a run`, forget };
}

/** What may be believed of the delivery, or the answer to one that may not. */
async function believe(
	delivery: Delivery,
	deadline: number,
	settings: Settings,
	{ connect, knowledge, now }: Parts,
): Promise<Delivery | Outcome> {
	if (!isToBeConfirmed(delivery, settings)) return delivery;
	const { allowance, memory, patience } = knowledge;
	const key = deliveryKey(delivery);
	if (!allowance.take(key, now(), settings.confirmationsPerMinute)) {
		return later('The requests for confirmations are used up; signatures would cost none');
	}
	let worth: Worth = 'unclear';
	try {
		const finding = await confirm(delivery, await connect(), deadline);
		if ('unclear' in finding) return later(finding.unclear);
		if ('denied' in finding) {
			worth = 'forged';
			const isGone = patience.isOver(delivery, now());
			return isGone ? ignore(finding.denied) : refuse(finding.denied);
		}
		const believed = { kind: delivery.kind, record: finding.confirmed };
		if (settings.deduplicate && memory.has(deliveryKey(believed))) {
			// What is true can be told in endless variations, each of which costs a request.
			worth = 'forged';
			memory.add(key);
			return ignore('It came before');
		}
		worth = 'genuine';
		return believed;
	} finally {
		allowance.settle(key, now(), worth);
	}
}

function isToBeConfirmed({ kind }: Delivery, { verify, output }: Settings): boolean {
	// Who believes everything would read the tasks of any job that is named, however often.
	const readsTasks = kind === 'job.ended' && output !== 'job';
	return verify === 'api' || (verify === 'none' && readsTasks);
}

function parse(body: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder().decode(body)) as unknown;
	} catch {
		return undefined;
	}
}

const ignore = (reason: string): Outcome => ({ status: 200, records: [], reason });
const refuse = (reason: string): Outcome => ({ status: 401, records: [], reason });
const later = (reason: string): Outcome => ({ status: 503, records: [], reason });
