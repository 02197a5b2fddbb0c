import type { Resource } from './operation';
import { account } from './account';
import { event } from './event';
import { job } from './job';
import { person } from './person';
import { personAttribute } from './personAttribute';
import { registration } from './registration';
import { session } from './session';
import { user } from './user';
import { webhook } from './webhook';

/** By the names that workflows save, which never change; in the order of the menu. */
export const resources: Readonly<Record<string, Resource>> = {
	account,
	event,
	job,
	person,
	personAttribute,
	registration,
	session,
	user,
	webhook,
};

/** Each operation, by what a node has chosen: "event getAll". */
export const operations = new Map(
	Object.entries(resources).flatMap(([resource, { scope = 'events', operations: own }]) =>
		Object.entries(own).map(
			([name, operation]) => [`${resource} ${name}`, { resource, name, operation, scope }] as const,
		),
	),
);
