import { randomUUID } from 'node:crypto';
import type { Platform } from '../platform';

export interface Attempt {
	/** Milliseconds since 1970. */
	time: number;
	status: number | null;
	error: string | null;
	durationMs: number;
}

type DeliveryStatus =
	| 'pending'
	| 'sending'
	| 'delivered'
	/** Answered with a status that is not retried. */
	| 'dropped'
	/** Every attempt failed; the subscription was disabled. */
	| 'failed'
	/** The subscription went away first. */
	| 'cancelled';

export interface Delivery {
	id: string;
	webhookId: string;
	url: string;
	event: string;
	status: DeliveryStatus;
	attempts: Attempt[];
	createdAt: number;
	nextAttemptAt: number | null;
	/** The body as it is sent, byte for byte. */
	body: string;
}

interface DeliveryRow {
	id: string;
	webhook_id: string;
	url: string;
	event: string;
	status: DeliveryStatus;
	attempts: string;
	created_at: number;
	next_at: number;
	body: string;
}

const keptFinished = 5_000;

const schema = `
	CREATE TABLE IF NOT EXISTS webhook_deliveries (
		seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, webhook_id TEXT NOT NULL, url TEXT NOT NULL,
		event TEXT NOT NULL, body TEXT NOT NULL, status TEXT NOT NULL, attempts TEXT NOT NULL,
		created_at INTEGER NOT NULL, next_at INTEGER NOT NULL
	);
	CREATE INDEX IF NOT EXISTS deliveries_due ON webhook_deliveries (status, next_at);
	-- What was being sent when the sandbox died is sent again.
	UPDATE webhook_deliveries SET status = 'pending' WHERE status = 'sending';`;

/** The deliveries that wait, go out and have ended. They outlive the process where the database does. */
export interface Deliveries {
	/** Adds a delivery that leaves after `delayMs`, and gives its ID. */
	add(delivery: Pick<Delivery, 'webhookId' | 'url' | 'event' | 'body'>, delayMs: number): string;
	/** Takes the deliveries whose time has come. Each is handed out once. */
	take(limit: number): Delivery[];
	/** Keeps how a delivery stands, and when it is tried next. */
	record(id: string, status: DeliveryStatus, attempts: Attempt[], nextAt: number): void;
	/** Cancels what waits for a webhook. */
	cancelOf(webhookId: string): void;
	/** Gives when the next delivery is due; null: none waits. */
	nextAt(): number | null;
	find(id: string): Delivery | undefined;
	/** Gives the newest deliveries, the newest first. */
	latest(limit: number): Delivery[];
	clear(): void;
}

export function createDeliveries({ db, now }: Platform): Deliveries {
	db.exec(schema);
	const insert = db.prepare(`INSERT INTO webhook_deliveries
		(id, webhook_id, url, event, body, status, attempts, created_at, next_at)
		VALUES (?, ?, ?, ?, ?, 'pending', '[]', ?, ?)`);
	const prune = db.prepare(
		`DELETE FROM webhook_deliveries WHERE seq <= ? AND status NOT IN ('pending', 'sending')`,
	);
	const due = db.prepare(`SELECT * FROM webhook_deliveries
		WHERE status = 'pending' AND next_at <= ? ORDER BY next_at, seq LIMIT ?`);
	const next = db.prepare(
		`SELECT min(next_at) AS at FROM webhook_deliveries WHERE status = 'pending'`,
	);
	const update = db.prepare(
		'UPDATE webhook_deliveries SET status = ?, attempts = ?, next_at = ? WHERE id = ?',
	);
	const cancel = db.prepare(`UPDATE webhook_deliveries SET status = 'cancelled'
		WHERE webhook_id = ? AND status = 'pending'`);
	const find = db.prepare('SELECT * FROM webhook_deliveries WHERE id = ?');
	const latest = db.prepare('SELECT * FROM webhook_deliveries ORDER BY seq DESC LIMIT ?');

	return {
		add(delivery, delayMs) {
			const id = randomUUID();
			const time = now();
			const { webhookId, url, event, body } = delivery;
			const seq = Number(
				insert.run(id, webhookId, url, event, body, time, time + delayMs).lastInsertRowid,
			);
			if (seq % 500 === 0) prune.run(seq - keptFinished);
			return id;
		},
		take(limit) {
			const deliveries = (due.all(now(), limit) as unknown as DeliveryRow[]).map(read);
			for (const { id, attempts } of deliveries) this.record(id, 'sending', attempts, 0);
			return deliveries;
		},
		record(id, status, attempts, nextAt) {
			update.run(status, JSON.stringify(attempts), nextAt, id);
		},
		cancelOf: (webhookId) => void cancel.run(webhookId),
		nextAt: () => next.get()?.['at'] as number | null,
		find(id) {
			const row = find.get(id) as DeliveryRow | undefined;
			return row && read(row);
		},
		latest: (limit) => (latest.all(limit) as unknown as DeliveryRow[]).map(read),
		clear: () => db.exec('DELETE FROM webhook_deliveries'),
	};
}

function read(row: DeliveryRow): Delivery {
	const { id, url, event, status, body } = row;
	return {
		id,
		webhookId: row.webhook_id,
		url,
		event,
		status,
		attempts: JSON.parse(row.attempts) as Attempt[],
		createdAt: row.created_at,
		nextAttemptAt: status === 'pending' ? row.next_at : null,
		body,
	};
}
