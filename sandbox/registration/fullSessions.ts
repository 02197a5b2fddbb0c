import type { Store } from '../store/store';

/* A session that is full takes nobody else. The platform is not known to have a maximum, so nothing of the API sets one. */

const nameOf = (sessionId: string) => `full session ${sessionId}`;

export function isFull(store: Store, sessionId: string): boolean {
	const row = store.get('SELECT 1 FROM workspace WHERE name = ?', nameOf(sessionId));
	return row !== undefined;
}

export function fillSession(store: Store, sessionId: string): void {
	const sql = 'INSERT OR REPLACE INTO workspace (name, value) VALUES (?, ?)';
	store.write(sql, nameOf(sessionId), 'yes');
}
