import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type Table, alongside, tables } from './schema';

export type Row = Record<string, null | number | string>;
/** More lists than this are not remembered: then all are forgotten, so that the memory stays small. */
const mostRemembered = 1_000;
/** Rows between two anchors: what skipping to any page costs at most. */
const spacing = 1_000;

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
	/** How often a table changed, and how often in a way that moves rows from page to page. */
	private readonly changes = new Map<Table, number>();
	private readonly moves = new Map<Table, number>();
	private readonly reads = new Map<string, Table[]>();
	private readonly counts = new Map<string, { count: number; version: number }>();
	private readonly anchors = new Map<string, { keys: number[]; moved: number }>();
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
		const changed = Number(this.statement(sql).run(...values).changes);
		for (const name of [table, ...(alongside[table] ?? [])]) {
			bump(this.changes, name);
			if (!sql.startsWith('INSERT') || !growsAtTheEnd(name, table)) bump(this.moves, name);
		}
		return changed;
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

	/** A count is kept until a table that it reads changes. */
	count(selection: Selection): number {
		const list = listOf(selection);
		const version = this.version(readsOf(selection), this.changes);
		const remembered = this.counts.get(list);
		// A count that depends on the clock changes without a write.
		if (remembered?.version === version && !list.includes('unixepoch')) return remembered.count;
		const end = this.skip(selection, Infinity);
		const sql = `SELECT count(*) AS count ${selection.from}${conditions(end.where)}`;
		const count = end.skipped + Number(this.get(sql, ...end.values)?.['count']);
		if (this.counts.size >= mostRemembered) this.counts.clear();
		this.counts.set(list, { count, version });
		return count;
	}

	/** A page. The keys are found in the index alone, without reading the rows before them. */
	rows(selection: Selection, limit: number, offset: number): Row[] {
		const { select, from, where, values, order } = selection;
		const start = this.skip(selection, offset);
		const keys = this.all(
			`SELECT ${order} AS at ${from}${conditions(start.where)} ORDER BY ${order} LIMIT ? OFFSET ?`,
			...start.values,
			limit,
			offset - start.skipped,
		).map((row) => Number(row['at']));
		if (keys.length === 0) return [];
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
			this.counts.clear();
			this.anchors.clear();
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

	/**
	 * Goes as far into a list as it can without counting rows: behind the last anchor at or before
	 * `offset`. An anchor is the key of every thousandth row, found once and kept.
	 */
	private skip(selection: Selection, offset: number) {
		const { from, where, values, order } = selection;
		const keys = this.anchorsOf(selection);
		const behind = (key: number | undefined) =>
			key === undefined
				? { where, values }
				: { where: [...where, `${order} > ?`], values: [...values, key] };
		while ((keys.length + 1) * spacing <= offset) {
			const rest = behind(keys.at(-1));
			const sql = `SELECT ${order} AS at ${from}${conditions(rest.where)} ORDER BY ${order} LIMIT 1 OFFSET ?`;
			const next = this.get(sql, ...rest.values, spacing - 1);
			if (!next) break;
			keys.push(Number(next['at']));
		}
		const count = Math.min(keys.length, Math.floor(offset / spacing));
		return { ...behind(keys[count - 1]), skipped: count * spacing };
	}

	/** They hold while the list only grows at its end. */
	private anchorsOf(selection: Selection): number[] {
		const list = listOf(selection);
		const moved = this.version(readsOf(selection), this.moves);
		const remembered = this.anchors.get(list);
		// A list that depends on the clock moves without a write.
		if (remembered?.moved === moved && !list.includes('unixepoch')) return remembered.keys;
		if (this.anchors.size >= mostRemembered) this.anchors.clear();
		const keys: number[] = [];
		this.anchors.set(list, { keys, moved });
		return keys;
	}

	private version(sql: string, of: ReadonlyMap<Table, number>): number {
		let read = this.reads.get(sql);
		if (!read) {
			read = tables.filter((table) => new RegExp(`\\b${table}\\b`).test(sql));
			this.reads.set(sql, read);
		}
		return read.reduce((sum, table) => sum + (of.get(table) ?? 0), 0);
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

/** A new row of the list's own table comes last; one that a tag or a trigger adds may come anywhere. */
function growsAtTheEnd(list: Table, written: Table): boolean {
	return list === written && written !== 'event_tags';
}

function bump(counts: Map<Table, number>, table: Table): void {
	counts.set(table, (counts.get(table) ?? 0) + 1);
}

function conditions(where: readonly string[]): string {
	return where.length > 0 ? ` WHERE ${where.join(' AND ')}` : '';
}

function readsOf({ from, where }: Selection): string {
	return from + conditions(where);
}

function listOf(selection: Selection): string {
	return `${readsOf(selection)} ${JSON.stringify(selection.values)}`;
}
