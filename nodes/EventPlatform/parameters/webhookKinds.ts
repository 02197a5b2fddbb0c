import type { INodePropertyOptions } from 'n8n-workflow';
import { kinds } from '../core/deliveries/kinds';

/** What the platform announces, as a menu. */
export const webhookKinds: INodePropertyOptions[] = Object.entries(kinds).map(
	([value, { name, description, action }]) => ({
		...{ name, value },
		...(description && { description }),
		...(action && { action }),
	}),
);
