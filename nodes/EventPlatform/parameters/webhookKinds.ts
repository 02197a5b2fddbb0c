import type { INodePropertyOptions } from 'n8n-workflow';
import { kinds, type KnownKind } from '../core/deliveries/kinds';

/** What the node panel offers to start a workflow with. */
const actions: Readonly<Record<KnownKind, string>> = {
	'event.created': 'When an event has been created',
	'event.published': 'When an event has been published',
	'job.ended': 'When a bulk registration has ended',
	'people.attended': 'When a person has attended',
	'people.not_attended': 'When a person has not attended',
	'people.registered': 'When a person has registered',
	'people.watched_replay': 'When a person has watched a replay',
	'session.created': 'When a session has been created',
	'session.ended': 'When a session has ended',
	'session.started': 'When a session has started',
};

/** What the platform announces, as a menu. */
export const webhookKinds: INodePropertyOptions[] = Object.entries(kinds).map(
	([value, { name, description }]) => ({
		name,
		value,
		action: actions[value as KnownKind],
		...(description && { description }),
	}),
);
