import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { defaultKinds, deliveryKinds } from '../core/deliveries/kinds';
import { choiceField } from './field';

/** What the platform announces, as a menu. */
export const webhookKinds: INodePropertyOptions[] = Object.entries(deliveryKinds).map(
	([value, { name, description, action }]) => ({ value, name, description, action }),
);

/** A parameter that is one of them. */
export function kindField(name: string, description: string): INodeProperties {
	const shown = { displayName: 'Event', options: webhookKinds };
	return choiceField(name, {}, defaultKinds.webhook, description, shown);
}
