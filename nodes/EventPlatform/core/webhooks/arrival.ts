import type { RawDelivery } from '../events/delivery';
import type { Delivery } from '../events/eventTypes';

/* These types describe a delivery on its way: first it is a request, then the event that it tells of, then an event that is believed. */

/** An HTTP request that says it is a delivery of the platform. */
export interface DeliveryRequest {
	/** The bytes as they came, because the signature is about these. */
	body: Uint8Array;
	/** The header with the signature. */
	signature: unknown;
	/** The `key` in the query. */
	key: unknown;
	/** The `event` in the query. */
	event?: unknown;
}

/** The proof that the platform sent a delivery. */
export type Proof = 'signature' | 'key' | 'none';

/** A delivery of an event that the trigger listens to, and that nobody else is proven to have sent. */
export interface Arrival {
	/** The event that it tells of. */
	delivery: Delivery;
	/** The content as it was sent, where it is no record. The run then starts with it unchanged. */
	raw?: RawDelivery;
	/** The key of the event. */
	key: string;
	/** Whether it is believed as it was sent; otherwise the platform has to confirm it. */
	isBelieved: boolean;
	/** Whether the run starts with the tasks of the job, which cost requests. */
	readsTasks: boolean;
	/** When the delivery arrived, in milliseconds since 1970. */
	arrivedAt: number;
}

/** An event that is believed. */
export interface BelievedEvent {
	kind: 'believed';
	/** The event, with the record as far as it is believed. */
	delivery: Delivery;
	/** Whether the platform has confirmed it, so that the record is the one that the platform shows. */
	isConfirmed: boolean;
	/** The keys by which the event is recognised when it comes again: as it was sent, and as the platform shows it. */
	keys: readonly string[];
}
