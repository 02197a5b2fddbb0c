import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { defaultEventTypes, eventTypeTable } from '../core/events/eventTypes';
import { choiceField } from './fieldBuilders';

/** Gives the event types that pass a test, as people choose them. */
export function eventTypeOptions(
	isOffered: (eventType: string) => boolean,
): INodePropertyOptions[] {
	return Object.entries(eventTypeTable)
		.filter(([value]) => isOffered(value))
		.map(([value, { name, description, action }]) => ({ value, name, description, action }));
}

/** The event types that the platform delivers to webhooks. */
export const webhookEventTypes: INodePropertyOptions[] = eventTypeOptions(
	(eventType) => eventTypeTable[eventType]?.isPolledOnly !== true,
);

/** Describes a field with one event type that the platform delivers. */
export function eventTypeField(name: string, description: string): INodeProperties {
	const more = { displayName: 'Event', options: webhookEventTypes };
	return choiceField(name, {}, defaultEventTypes.webhook, description, more);
}
