import type { SQLInputValue } from 'node:sqlite';
import type { Call } from './handler';
import { seconds } from './time';

/** Conditions that all have to hold, with the values of their question marks. */
export class Conditions {
	/** Spread into a selection. */
	readonly sql: { where: string[]; values: SQLInputValue[] } = { where: [], values: [] };

	constructor(private readonly query: Call['query']) {}

	add(condition: string, ...values: SQLInputValue[]): this {
		this.sql.where.push(condition);
		this.sql.values.push(...values);
		return this;
	}

	has(filter: string): boolean {
		return this.query[`filter[${filter}]`] !== undefined;
	}

	/** Filters that the request gives are applied, the others are not. */
	when(filter: string, apply: (value: unknown, name: string) => void): this {
		const name = `filter[${filter}]`;
		const value = this.query[name];
		if (value !== undefined) apply(value, name);
		return this;
	}

	equal(filter: string, column: string): this {
		return this.when(filter, (value) => {
			if (Array.isArray(value)) this.among(column, value);
			else this.add(`${column} = ?`, String(value));
		});
	}

	flag(filter: string, column: string): this {
		return this.when(filter, (value) =>
			this.add(`${column} = ?`, Number(String(value) === 'true')),
		);
	}

	since(filter: string, column: string): this {
		return this.when(filter, (value, name) => this.add(`${column} >= ?`, seconds(name, value)));
	}

	until(filter: string, column: string): this {
		return this.when(filter, (value, name) => this.add(`${column} <= ?`, seconds(name, value)));
	}

	createdAndUpdated(alias: string): this {
		return this.since('created_since', `${alias}.created_at`)
			.until('created_until', `${alias}.created_at`)
			.since('updated_since', `${alias}.updated_at`)
			.until('updated_until', `${alias}.updated_at`);
	}

	/** Letter case does not tell addresses apart. */
	email(column: string): this {
		return this.when('email', (value) => this.add(`${column} = ?`, emailKey(String(value))));
	}

	private among(column: string, values: unknown[]): void {
		this.add(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values.map(String)));
	}
}

export function emailKey(email: string): string {
	return email.trim().toLowerCase();
}

/** The names that `include=` asks for. */
export function included(call: Call): Set<string> {
	const value = call.query['include'];
	return new Set(value === undefined ? [] : [value].flat().map(String));
}
