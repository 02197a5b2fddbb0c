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

/** In the order of the menu. */
export const resources: Resource[] = [
	account,
	event,
	job,
	person,
	personAttribute,
	registration,
	session,
	user,
	webhook,
];
