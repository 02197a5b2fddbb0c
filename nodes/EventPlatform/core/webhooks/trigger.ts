import type { Delivery, Filters } from '../events/eventTypes';
import type { Output } from '../events/item';
import type { TaskSource } from '../jobs/taskRecords';
import type { RecordView } from '../records/recordView';
import type { DeliveryHistory } from './deliveryHistory';

/** The choices of people for a trigger. */
export interface TriggerSettings {
	eventTypes: readonly string[];
	verify: 'auto' | 'api' | 'signature' | 'none';
	/** The secret that signatures are checked with; absent: there is none. */
	secret?: string;
	/** The key in the URL of our own subscription; absent where people subscribe by hand, or check in another way. */
	ownKey?: string;
	filters: Filters;
	output: Output;
	/** What an item shows of a record. Absent: every field. */
	view?: RecordView;
	/** Whether an event that comes again starts no second run. */
	needsDeduplication: boolean;
	confirmationsPerMinute: number;
}

/** A trigger at which deliveries arrive. */
export interface Trigger extends TriggerSettings {
	/** Called only when the platform has to be asked. Requests wait no longer than this for their turn. */
	connect(patienceMs: number): Promise<TaskSource>;
	history: DeliveryHistory;
}

/** The proof that the platform sent a delivery. */
export type Proof = 'signature' | 'key' | 'none';

/** A trigger while it receives a delivery that nobody else is proven to have sent. */
export interface ReceivingTrigger extends Trigger {
	proof: Proof;
	/** When the delivery arrived, in milliseconds since 1970. */
	arrivedAt: number;
}

/** A trigger while it receives the delivery of a record. */
export interface RecordReceiver extends ReceivingTrigger {
	delivery: Delivery;
	/** The key of the event. */
	key: string;
}

/** A lookup waits no longer for its turn. After it the platform is to come again. */
export const longestWaitMs = 10_000;
