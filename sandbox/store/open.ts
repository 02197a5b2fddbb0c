import { DatabaseSync } from 'node:sqlite';
import { schema } from './schema';

/** How long a write waits for another process that has the file open. */
const busyMs = 2_000;

/**
 * Opens a database in memory, or a file that survives a kill. With a write-ahead log every commit is
 * already in the file.
 */
export function openDatabase(file: string): DatabaseSync {
	const db = new DatabaseSync(file || ':memory:', { timeout: busyMs });
	db.exec('PRAGMA foreign_keys = ON');
	if (file) db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
	db.exec(schema);
	return db;
}
