import type { INodeExecutionData, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { JsonObject } from '../core/http/ports';
import { withDates } from '../parameters/dates';

/** What a run starts with, the same however the event was heard of. */
export function itemsOf(
	context: IPollFunctions | IWebhookFunctions,
	records: readonly JsonObject[],
): INodeExecutionData[] {
	const zone = context.getTimezone();
	return records.map((record) => ({ json: withDates(record, zone) }));
}
