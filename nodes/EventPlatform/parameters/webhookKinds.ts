import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { defaultKinds, deliveryKinds } from '../core/deliveries/kinds';
import { choiceField } from './field';

export const webhookKinds: INodePropertyOptions[] = Object.entries(deliveryKinds).map(
	([value, { name, description, action }]) => ({ value, name, description, action }),
);

export function kindField(name: string, description: string): INodeProperties {
	const shown = { displayName: 'Event', options: webhookKinds };
	return choiceField(name, {}, defaultKinds.webhook, description, shown);
}
