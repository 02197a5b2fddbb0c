import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type Table, alongside, tables } from './schema';

export type Row = Record<string, null | number | string>;
const kept = 1_000;

/** The rows of a list: what it selects, and the columns it is filtered by. */
export interface Selection {
	/** `SELECT …` up to and without WHERE. Its tables are aliased as `where` and `order` expect. */
	select: string;
	/** `FROM …` of the count, where the joins of `select` are not needed. */
	from: string;
	where: readonly string[];
	values: readonly SQLInputValue[];
	/** What the list is ordered by: a number of its own for every row. */
	order: string;
}

export class Store {
	private readonly statements = new Map<string, StatementSync>();
	private readonly versions = new Map<Table, number>(tables.map((table) => [table, 0]));
	private readonly reads = new Map<string, Table[]>();
	private readonly counts = new Map<string, { count: number; version: number }>();
	private readonly marks = new Map<string, { last: number; version: number }>();
	private depth = 0;

	constructor(private readonly db: DatabaseSync) {}

	all(sql: string, ...values: SQLInputValue[]): Row[] {
		return this.statement(sql).all(...values) as Row[];
	}

	get(sql: string, ...values: SQLInputValue[]): Row | undefined {
		return this.statement(sql).get(...values) as Row | undefined;
	}

	/** Every write goes through here and names its table, so that no remembered count outlives it. */
	write(table: Table, sql: string, ...values: SQLInputValue[]): number {
		const { changes } = this.statement(sql).run(...values);
		for (const one of [table, ...(alongside[table] ?? [])]) {
			this.versions.set(one, (this.versions.get(one) ?? 0) + 1);
		}
		return Number(changes);
	}

	insert(table: Table, row: Record<string, SQLInputValue>): void {
		const columns = Object.keys(row);
		const marks = columns.map(() => '?').join(', ');
		const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`;
		this.write(table, sql, ...Object.values(row));
	}

	update(table: Table, id: string, changes: Record<string, SQLInputValue>): void {
		const columns = Object.keys(changes).map((column) => `${column} = ?`);
		const sql = `UPDATE ${table} SET ${columns.join(', ')} WHERE id = ?`;
		this.write(table, sql, ...Object.values(changes), id);
	}

	/** Counting 100,000 rows takes milliseconds: a count is kept until a table that it reads changes. */
	count({ from, where, values }: Selection): number {
		const sql = `SELECT count(*) AS count ${from}${conditions(where)}`;
		const key = `${sql} ${JSON.stringify(values)}`;
		const version = this.version(sql);
		const known = this.counts.get(key);
		// What depends on the clock changes without a write.
		if (known?.version === version && !sql.includes('unixepoch')) return known.count;
		const count = Number(this.get(sql, ...values)?.['count']);
		if (this.counts.size >= kept) this.counts.clear();
		this.counts.set(key, { count, version });
		return count;
	}

	/**
	 * A page. The keys are found in the index alone, without reading the rows before them; whoever
	 * walks on to the next page goes on behind the last key, for as long as nothing has changed.
	 */
	rows({ select, from, where, values, order }: Selection, limit: number, offset: number): Row[] {
		const list = `${from} ${conditions(where)} ${JSON.stringify(values)}`;
		const version = this.version(from + conditions(where));
		const mark = this.marks.get(`${list} ${offset}`);
		const last = mark?.version === version ? mark.last : undefined;
		const behind = last === undefined ? where : [...where, `${order} > ?`];
		const keys = this.all(
			`SELECT ${order} AS at ${from}${conditions(behind)} ORDER BY ${order} LIMIT ? OFFSET ?`,
			...(last === undefined ? [...values, limit, offset] : [...values, last, limit, 0]),
		).map((row) => Number(row['at']));
		if (keys.length === 0) return [];
		if (this.marks.size >= kept) this.marks.clear();
		this.marks.set(`${list} ${offset + keys.length}`, { last: keys.at(-1) ?? 0, version });
		const found = conditions([...where, `${order} IN (SELECT value FROM json_each(?))`]);
		return this.all(`${select}${found} ORDER BY ${order}`, ...values, JSON.stringify(keys));
	}

	/** All of it or nothing. Inside another transaction it is a part of that one. */
	transaction<T>(work: () => T): T {
		if (this.depth > 0) return work();
		this.db.exec('BEGIN IMMEDIATE');
		this.depth++;
		try {
			const result = work();
			this.db.exec('COMMIT');
			return result;
		} catch (error) {
			if (this.db.isTransaction) this.db.exec('ROLLBACK');
			this.counts.clear();
			this.marks.clear();
			throw error;
		} finally {
			this.depth--;
		}
	}

	/** Empties every table. */
	clear(): void {
		this.transaction(() => {
			this.db.exec('PRAGMA defer_foreign_keys = ON');
			for (const table of tables) this.write(table, `DELETE FROM ${table}`);
		});
	}

	private version(sql: string): number {
		let tables = this.reads.get(sql);
		if (!tables) {
			tables = [...this.versions.keys()].filter((table) => new RegExp(`\\b${table}\\b`).test(sql));
			this.reads.set(sql, tables);
		}
		return tables.reduce((sum, table) => sum + (this.versions.get(table) ?? 0), 0);
	}

	private statement(sql: string): StatementSync {
		let statement = this.statements.get(sql);
		if (!statement) {
			statement = this.db.prepare(sql);
			this.statements.set(sql, statement);
		}
		return statement;
	}
}

function conditions(where: readonly string[]): string {
	return where.length > 0 ? ` WHERE ${where.join(' AND ')}` : '';
}
