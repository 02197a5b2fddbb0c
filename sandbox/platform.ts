import type { DatabaseSync } from 'node:sqlite';
import type { Faults } from './faults/faults';
import type { SandboxOptions } from './options';
import type { Store } from './store/store';
import type { Workspace } from './store/workspace';

export type EventType =
	| 'event.created'
	| 'event.published'
	| 'session.created'
	| 'session.started'
	| 'session.ended'
	| 'people.registered'
	| 'people.attended'
	| 'people.not_attended'
	| 'people.watched_replay'
	| 'job.ended';

/** A record as the API shows it. */
export interface ApiRecord {
	type: string;
	id: string;
	attributes: Record<string, unknown>;
	relationships?: Record<string, unknown>;
}

/** The platform that every part of the sandbox works on. */
export interface Platform {
	readonly options: SandboxOptions;
	readonly db: DatabaseSync;
	/** Statements prepared once, and `transaction`, which may be nested. */
	readonly store: Store;
	/** Switches of the whole workspace, such as blocked. */
	readonly workspace: Workspace;
	/** The faults that are to happen. */
	readonly faults: Faults;
	/** Own answers that broke the contract. A sandbox without bugs keeps this empty. */
	readonly violations: string[];
	/** Milliseconds since 1970. */
	now(): number;
	/** Gives a number from 0 to 1, by which the traits with a share decide. Each reset begins the same sequence again. */
	draw(): number;
	/**
	 * Tells the webhooks that something happened. It is called inside the transaction that made it
	 * happen, so what it stores is kept or lost together with that.
	 */
	announce(eventType: EventType, record: ApiRecord): void;
	/** Runs `work` later, and never after `close`. */
	later(ms: number, work: () => void): void;
	/** Where the links to files lead: to this sandbox, once it listens, unless told otherwise. */
	filesRoot(): string;
	listensAt(baseUrl: string): void;
	/** Empties the store and seeds it anew; parts with state of their own add what they have to do. */
	reset(): void;
	onReset(work: () => void): void;
	close(): Promise<void>;
}
