import type { Operation, Resource } from './operation';
import { account } from './account';
import { event } from './event';
import { job } from './job';
import { person } from './person';
import { personAttribute } from './personAttribute';
import { registration } from './registration';
import { session } from './session';
import { user } from './user';
import { webhook } from './webhook';

/** The resources by the names that workflows save, which never change; in the order of the menu: what most people want stands first. */
export const resources: Readonly<Record<string, Resource>> = {
	registration,
	account,
	event,
	job,
	person,
	personAttribute,
	session,
	user,
	webhook,
};

/** An operation, and where it stands in the menu. */
export interface ChosenOperation {
	/** The operation behind the row of the menu. */
	readonly operation: Operation;
	/** The name of its resource, as workflows save it. */
	readonly resource: string;
	/** The name of the operation, as workflows save it. */
	readonly name: string;
	/** The family of scopes (section 5.3) that its requests need. */
	readonly scope: string;
}

/** All operations by what a node has chosen: "event getAll". */
export const operations: ReadonlyMap<string, ChosenOperation> = new Map(
	Object.entries(resources).flatMap(([resource, { scope = 'events', operations: rows }]) =>
		Object.entries(rows).map(([name, operation]): [string, ChosenOperation] => [
			`${resource} ${name}`,
			{ operation, resource, name, scope },
		]),
	),
);
