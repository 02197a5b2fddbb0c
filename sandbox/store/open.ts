import { DatabaseSync } from 'node:sqlite';
import { schema } from './schema';

/** How long a write waits for another process that has the file open. */
const busyMs = 2_000;

/** In memory, or a file that survives a kill: with a write-ahead log every commit is already in it. */
export function openDatabase(file: string): DatabaseSync {
	const db = new DatabaseSync(file || ':memory:', { timeout: busyMs });
	db.exec('PRAGMA foreign_keys = ON');
	if (file) db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
	db.exec(schema);
	return db;
}
