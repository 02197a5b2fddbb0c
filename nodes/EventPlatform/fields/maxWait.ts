import type { INodeProperties } from 'n8n-workflow';
import { numberField } from './fieldBuilders';

/** The longest wait of an operation that has no other setting. */
export const usualMaxWaitSeconds = 900;

/** Describes the option for the longest wait. */
export function maxWaitField(description: string): INodeProperties {
	return numberField('maxWaitSeconds', usualMaxWaitSeconds, description, {
		displayName: 'Max Wait (Seconds)',
		typeOptions: { minValue: 1 },
	});
}
