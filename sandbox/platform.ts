import type { DatabaseSync } from 'node:sqlite';
import type { SandboxOptions } from './options';

export type WebhookKind =
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

/** What every part of the sandbox works on. */
export interface Platform {
	readonly options: SandboxOptions;
	readonly db: DatabaseSync;
	/** Milliseconds since 1970. */
	now(): number;
	/** Tells the webhooks that something happened. */
	announce(kind: WebhookKind, record: ApiRecord): void;
	/** Runs `work` later, and never after `close`. */
	later(ms: number, work: () => void): void;
	close(): Promise<void>;
}
