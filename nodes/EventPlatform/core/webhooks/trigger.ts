import type { Clock } from '../client/clock';
import type { Client } from '../client/request';
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
	connect(): Promise<PlatformAccess>;
	/** What the triggers with this token know of sessions. */
	readFacts(): Promise<FactsMemory>;
}

export interface TriggerSettings {
	eventTypes: readonly string[];
	verify: 'auto' | 'api' | 'signature' | 'none';
	secret?: string;
	/** The key in the URL of our own subscription; absent where people subscribe by hand, or check in another way. */
	ownKey?: string;
	filters: Filters;
	output: Output;
	/** The part of a record that an item shows. Absent: every field. */
	view?: RecordView;
	needsDeduplication: boolean;
	confirmationsPerMinute: number;
	/** People chose times at which the subscription is checked and what was missed is read. */
	hasChecks: boolean;
}

interface PlatformAccess {
	client: Pick<Client, 'send'>;
	apiRoot: string;
	/** The clock by which requests wait for their turn. */
	clock: Pick<Clock, 'now'>;
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
	/** As it was sent, or as the platform shows it once it has confirmed it. */
	delivery: Delivery;
	/** Of the event as it was sent. */
	key: string;
	trust: Trust;
	/** The tasks of the job, with which the run starts, cost requests. */
	readsTasks: boolean;
	arrivedAtMs: Ms;
}
