import { DatabaseSync } from 'node:sqlite';
import { schema } from './schema';

/** In memory, or a file that survives a kill: with a write-ahead log every commit is already in it. */
export function openDatabase(file: string): DatabaseSync {
	const db = new DatabaseSync(file || ':memory:');
	db.exec('PRAGMA foreign_keys = ON');
	if (file) db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
	db.exec(schema);
	return db;
}
