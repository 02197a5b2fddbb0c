import type { INodePropertyOptions } from 'n8n-workflow';
import { defaultKinds, kinds } from '../core/deliveries/kinds';

/** What the platform announces, as a menu. */
export const webhookKinds: INodePropertyOptions[] = Object.entries(kinds).map(
	([value, { name, description, action }]) => ({
		...{ name, value },
		...(description && { description }),
		...(action && { action }),
	}),
);

/** A parameter that is one of them. */
export const oneKind = {
	type: 'options' as const,
	options: webhookKinds,
	default: defaultKinds.webhook,
};
