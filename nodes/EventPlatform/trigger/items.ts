import type { INodeExecutionData, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { recordOf } from '../core/deliveries/output';
import type { Poll } from '../core/deliveries/polling';
import type { JsonObject } from '../core/http/ports';
import { withDates } from '../parameters/dates';
import { showOf } from './settings';

/** What a run starts with, the same however the event was heard of. */
export function itemsOf(
	context: IPollFunctions | IWebhookFunctions,
	records: readonly JsonObject[],
): INodeExecutionData[] {
	const zone = context.getTimezone();
	return records.map((record) => ({ json: withDates(record, zone) }));
}

/** The one run of a poll; none where nothing is new. */
export function runOf(
	context: IPollFunctions,
	{ news, failures: [failure, ...others] }: Poll,
): INodeExecutionData[][] | null {
	if (failure && news.length === 0) throw failure;
	if (failure) {
		context.logger.warn(
			`${context.getNode().name} could not read ${1 + others.length} lists and tries again next time: ${failure.message}`,
		);
	}
	const show = showOf(context);
	const records = news.map((event) => recordOf(event, Date.now(), show));
	return records.length === 0 ? null : [itemsOf(context, records)];
}
