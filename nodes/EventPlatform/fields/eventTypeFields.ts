import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { defaultEventTypes, eventTypeTable, isPolledOnly } from '../core/events/eventTypes';
import { choiceField } from './fieldBuilders';

export function eventTypeOptions(
	isOffered: (eventType: string) => boolean,
): INodePropertyOptions[] {
	return Object.entries(eventTypeTable)
		.filter(([value]) => isOffered(value))
		.map(([value, { name, description, action }]) => ({ value, name, description, action }));
}

export const webhookEventTypes: INodePropertyOptions[] = eventTypeOptions(
	(eventType) => !isPolledOnly(eventType),
);

export function eventTypeField(name: string, description: string): INodeProperties {
	const byName = [...webhookEventTypes].sort((a, b) => a.name.localeCompare(b.name));
	const more = { displayName: 'Event', options: byName };
	return choiceField(name, {}, defaultEventTypes.webhook, description, more);
}
