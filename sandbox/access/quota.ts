import type { Platform } from '../platform';
import type { Allowance } from './rateLimit';

const periodMs = 30 * 24 * 60 * 60 * 1000;

interface Period {
	started_at: number;
	used: number;
}

/** The requests of 30 days, by token. */
export interface Quota {
	/** Gives the allowance that is left and takes none of it. */
	look(key: string, now: number): Allowance;
	/** Counts a request that was accepted. */
	take(key: string): void;
	/** Forgets every request. */
	reset(): void;
}

/** `limit` requests in the 30 days that begin with the first one. Refused requests do not count. */
export function createQuota({ db }: Platform, limit: number): Quota {
	db.exec(`CREATE TABLE IF NOT EXISTS access_quota (
		key TEXT PRIMARY KEY, started_at INTEGER NOT NULL, used INTEGER NOT NULL
	) WITHOUT ROWID`);
	const read = db.prepare('SELECT started_at, used FROM access_quota WHERE key = ?');
	const begin = db.prepare('INSERT OR REPLACE INTO access_quota VALUES (?, ?, 0)');
	const count = db.prepare('UPDATE access_quota SET used = used + 1 WHERE key = ?');

	function period(key: string, now: number): Period {
		const current = read.get(key) as Period | undefined;
		if (current && now < current.started_at + periodMs) return current;
		begin.run(key, now);
		return { started_at: now, used: 0 };
	}

	return {
		look(key, now) {
			const { started_at, used } = period(key, now);
			const remaining = Math.max(0, limit - used);
			return { allowed: remaining > 0, remaining, resetAt: started_at + periodMs };
		},
		take: (key) => void count.run(key),
		reset: () => db.exec('DELETE FROM access_quota'),
	};
}
