import type { INodeExecutionData } from 'n8n-workflow';
import { withDates } from '../parameters/dates';
import type { JsonObject } from '../core/http/ports';

/** What a run starts with, its dates in the time zone of the workflow. */
export function itemOf(record: JsonObject, context: { getTimezone(): string }): INodeExecutionData {
	return { json: withDates(record, context.getTimezone()) };
}
