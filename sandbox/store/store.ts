import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type Table, tables } from './schema';

export type Row = Record<string, null | number | string>;

/** The rows of a list: what it selects, and the columns it is filtered by. */
export interface Selection {
	/** `SELECT …` up to and without WHERE. Its tables are aliased as `where` and `order` expect. */
	select: string;
	/** `FROM …` of the count, where the joins of `select` are not needed. */
	from: string;
	where: readonly string[];
	values: readonly SQLInputValue[];
	/** The number that the list is ordered by. Every row has one of its own. */
	order: string;
}

export class Store {
	private readonly statements = new Map<string, StatementSync>();
	private depth = 0;

	constructor(private readonly db: DatabaseSync) {}

	all(sql: string, ...values: SQLInputValue[]): Row[] {
		return this.statement(sql).all(...values) as Row[];
	}

	get(sql: string, ...values: SQLInputValue[]): Row | undefined {
		return this.statement(sql).get(...values) as Row | undefined;
	}

	/** Gives how many rows it has changed. */
	write(sql: string, ...values: SQLInputValue[]): number {
		return Number(this.statement(sql).run(...values).changes);
	}

	insert(table: Table, row: Record<string, SQLInputValue>): void {
		const columns = Object.keys(row);
		const marks = columns.map(() => '?').join(', ');
		const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`;
		this.write(sql, ...Object.values(row));
	}

	update(table: Table, id: string, changes: Record<string, SQLInputValue>): void {
		const columns = Object.keys(changes).map((column) => `${column} = ?`);
		const sql = `UPDATE ${table} SET ${columns.join(', ')} WHERE id = ?`;
		this.write(sql, ...Object.values(changes), id);
	}

	count({ from, where, values }: Selection): number {
		const sql = `SELECT count(*) AS count ${from}${conditions(where)}`;
		return Number(this.get(sql, ...values)?.['count']);
	}

	/** A page. The keys are found in the index alone, without reading the rows before them. */
	rows({ select, from, where, values, order }: Selection, limit: number, offset: number): Row[] {
		const page = `SELECT ${order} AS at ${from}${conditions(where)} ORDER BY ${order} LIMIT ? OFFSET ?`;
		const keys = this.all(page, ...values, limit, offset).map(({ at }) => at);
		const condition = conditions([...where, `${order} IN (SELECT value FROM json_each(?))`]);
		return this.all(`${select}${condition} ORDER BY ${order}`, ...values, JSON.stringify(keys));
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
			throw error;
		} finally {
			this.depth--;
		}
	}

	/** Empties every table. */
	clear(): void {
		this.transaction(() => {
			this.db.exec('PRAGMA defer_foreign_keys = ON');
			for (const table of tables) this.write(`DELETE FROM ${table}`);
		});
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
