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
	addColumn(db, 'registrations', 'up_votes_count', 'INTEGER NOT NULL DEFAULT 0');
	return db;
}

/** A file that an earlier version of the sandbox has written lacks the column. */
function addColumn(db: DatabaseSync, table: string, column: string, type: string): void {
	const columns = db.prepare(`PRAGMA table_info(${table})`).all();
	if (columns.some(({ name }) => name === column)) return;
	db.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
}
