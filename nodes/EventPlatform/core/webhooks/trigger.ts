import type { Clock } from '../client/clock';
import type { Ask } from '../client/request';
import type { Filters } from '../events/filters';
import type { Output } from '../events/item';
import type { RecordView } from '../records/recordView';
import type { DeliveryHistory } from './deliveryHistory';

/** A trigger at which deliveries arrive. */
export interface Trigger {
	/** The choices of people. */
	settings: TriggerSettings;
	/** The memory of earlier deliveries. */
	history: DeliveryHistory;
	/** Opens the way to the platform. It is called only when the platform has to be asked. */
	connect(): Promise<PlatformAccess>;
}

/** The choices of people for a trigger. */
export interface TriggerSettings {
	/** The event types that start the workflow. */
	eventTypes: readonly string[];
	/** How a delivery is proved genuine; `auto` takes the best way that the settings allow. */
	verify: 'auto' | 'api' | 'signature' | 'none';
	/** The secret that signatures are checked with. Absent: there is none. */
	secret?: string;
	/** The key in the URL of our own subscription; absent where people subscribe by hand, or check in another way. */
	ownKey?: string;
	/** The conditions that an event has to meet. */
	filters: Filters;
	/** The kind of items that a job gives. */
	output: Output;
	/** The part of a record that an item shows. Absent: every field. */
	view?: RecordView;
	/** Whether an event that comes again starts no second run. */
	needsDeduplication: boolean;
	/** How many deliveries a minute the platform is asked about at most. */
	confirmationsPerMinute: number;
}

/** The way to the platform with the credential of the trigger. */
export interface PlatformAccess {
	/** Sends its requests. */
	api: Ask;
	/** The address of the API, with /v1. */
	apiRoot: string;
	/** The clock by which requests wait for their turn. */
	clock: Pick<Clock, 'now'>;
}
