import type { INodeProperties } from 'n8n-workflow';
import { numberField } from './field';
import type { Read } from './read';

const usualSeconds = 900;

export function maxWaitSeconds(description: string): INodeProperties {
	return numberField('maxWaitSeconds', usualSeconds, description, {
		displayName: 'Max Wait (Seconds)',
		typeOptions: { minValue: 1 },
	});
}

/** Of the options. Refused at 0 and below, where not even one request would be allowed. */
export function readMaxWaitSeconds(read: Read): number {
	const seconds = Number(read.chosen('options').maxWaitSeconds ?? usualSeconds);
	if (seconds > 0) return seconds;
	throw read.refusal("'Max Wait' is not a number of seconds above 0");
}
