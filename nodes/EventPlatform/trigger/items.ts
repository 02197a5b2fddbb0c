import type {
	IHookFunctions,
	INodeExecutionData,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import type { JsonObject } from '../core/http/ports';
import { showAll, type Show } from '../core/records/simplify';
import { withDates } from '../parameters/dates';
import { pickFields } from '../parameters/recordFields';

/** When it happened and where is what people look for here. */
const besides = [
	...['event_title', 'session_name'],
	...['registrant_created_at', 'published_at', 'started_at', 'ended_at', 'created_at'],
];
const simplified: Show = (fields) => pickFields(fields, [], besides);

/** Which fields of a record people want to see. */
export function showOf(context: IPollFunctions | IWebhookFunctions | IHookFunctions): Show {
	return context.getNodeParameter('simplify', true) === false ? showAll : simplified;
}

/** What a run starts with, the same however the event was heard of. */
export function itemsOf(
	context: IPollFunctions | IWebhookFunctions,
	records: readonly JsonObject[],
): INodeExecutionData[] {
	const zone = context.getTimezone();
	return records.map((record) => ({ json: withDates(record, zone) }));
}
