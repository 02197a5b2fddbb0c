import { withDeadline, type Ask } from '../client/request';
import type { Run } from '../client/run';
import type { Delivery } from '../events/eventTypes';
import type { Filters } from '../events/filters';
import type { Output } from '../events/item';
import type { RecordView } from '../records/recordView';
import type { FactsMemory } from './factsMemory';
import type { DeliveryHistory } from './history';
import type { Ms } from '../values/units';

export interface Trigger {
	settings: TriggerSettings;
	history: DeliveryHistory;
	/** Opens the way to the platform. It is called only when the platform has to be asked. */
	connect(): Promise<Pick<Run, 'client' | 'apiRoot' | 'clock'>>;
	/** What the triggers with this token know of sessions. It asks nothing of the platform. Fails where the credential cannot be read. */
	factsMemory(): Promise<FactsMemory>;
}

export interface TriggerSettings {
	eventTypes: readonly string[];
	verify: 'auto' | 'api' | 'signature' | 'none';
	/** The error with which the credential could not be read, although secret and key are in it. */
	credentialError?: unknown;
	secret?: string;
	/** The key in the URL of our own subscription; absent where people subscribe by hand, or check in another way. */
	ownKey?: string;
	filters: Filters;
	output: Output;
	/** The part of a record that an item shows. Absent: every field. */
	view?: RecordView;
	needsDeduplication: boolean;
	/**
	 * So many lookups a minute: of deliveries without proof, of those with the key whose tasks are read, and of titles and starts. Each kind
	 * counts for itself.
	 */
	confirmationsPerMinute: number;
	/** People chose times at which the subscription is checked and what was missed is read. */
	hasChecks: boolean;
}

/**
 * All requests of a delivery leave within this time from its arrival. After that the platform has to deliver again. How long it waits
 * for our response is not published; GitHub, for one, gives a delivery ten seconds.
 */
const longestWaitMs = 10_000;

/**
 * Connects a delivery with the platform. Each request is sent once, because the platform delivers again, unless it has a retry of its own.
 * Only a limit per second is waited for.
 */
export async function connectWithin(
	{ arrivedAtMs }: Pick<Arrival, 'arrivedAtMs'>,
	{ connect, history }: Pick<Trigger, 'connect' | 'history'>,
	waitMs = longestWaitMs,
): Promise<{ ask: Ask; apiRoot: string }> {
	const { client, apiRoot, clock } = await connect();
	const leftMs = longestWaitMs - (history.now() - arrivedAtMs);
	const send = withDeadline(client.send, clock.now() + Math.min(waitMs, leftMs));
	const ask: Ask = ({ retry = 'onlyWhenRateLimited', ...request }) => send({ ...request, retry });
	return { apiRoot, ask };
}

export interface DeliveryRequest {
	/** The bytes as they came, because the signature is about these. */
	body: Uint8Array;
	signature: unknown;
	key: unknown;
	event?: unknown;
}

/**
 * Who is known to have sent a delivery:
 *
 *   signed     the platform
 *   keyed      somebody who has our key, which may come from the log of a proxy
 *   unchecked  anybody, because people chose to check nothing
 *   unproven   anybody, so the platform has to confirm it
 */
export type Trust = 'signed' | 'keyed' | 'unchecked' | 'unproven';

/** A delivery of an event that the trigger listens to, and that nobody else is proven to have sent. */
export interface Arrival {
	delivery: Delivery;
	eventKey: string;
	trust: Trust;
	/** It has the key with which our webhooks were made, also where that is no proof, because people have the API decide. */
	isToOurWebhook: boolean;
	/** The tasks of the job, with which the run starts, cost requests. */
	hasTasksToRead: boolean;
	arrivedAtMs: Ms;
	/** It is one of the last two attempts of which the platform makes six. */
	isNearlyLast: boolean;
}

export interface BelievedEvent {
	kind: 'believed';
	delivery: Delivery;
	/** Once the platform has confirmed it, the record is the one that the platform shows. */
	isConfirmed: boolean;
	/** The keys by which the event is recognised when it comes again: as it was sent, and as the platform shows it. */
	eventKeys: readonly string[];
}
