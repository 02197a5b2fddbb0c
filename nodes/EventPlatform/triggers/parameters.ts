import {
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type IHookFunctions,
	type IPollFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';
import type { Search } from '../core/polling/pollSettings';
import { eventTypeOf, isPollable, scheduleTypes } from '../core/events/eventTypes';
import { defaultLeadTimes, parseLeadTime, type LeadTime } from '../core/polling/schedule/leadTime';
import type { Filters } from '../core/events/filters';
import { simplifiedItem, type Output } from '../core/events/item';
import type { TriggerSettings } from '../core/webhooks/webhookTrigger';
import { subscriptionKey } from '../core/webhooks/proof';
import { text } from '../core/values/text';
import { isObject, type JsonObject } from '../core/values/json';
import { wholeRecord, type RecordView } from '../core/records/recordView';
import { workflowZone } from '../n8n/workflowZone';
import { credentialType } from '../n8n/authentication';
import { unixSeconds } from '../fields/typedDates';
import { readSwitch, textsIn } from '../fields/parameterValues';
import type { Context } from './triggerContext';

/*
 * Begin here: the choices that people made in `description.ts` are read. `items.ts` makes the items of a run, `storage.ts` keeps data with
 * the workflow, and `triggerContext.ts` tells one trigger from another.
 *
 * Webhook trigger: `lifecycle.ts` makes the webhooks on the platform when a workflow is published, looks after them
 * and catches up; `webhook.ts` takes each delivery, and `deliveryLog.ts` writes down why one started no run. Polling trigger: `polling.ts`.
 * `pollTime.ts` says how long a poll or a check may take.
 */

/** A day of a thousand registrations needs fewer, and 120 leave more than half of the limit per second to others. */
export const usualLookupsPerMinute = 120;

/** People register for the replay, and attendance is counted, within a day after the end. */
export const usualEndedWithinDays = 1;

export async function readTriggerSettings(
	context: IHookFunctions | IWebhookFunctions,
): Promise<TriggerSettings> {
	const options = readOptions(context);
	const verify = context.getNodeParameter('verify', 'auto') as TriggerSettings['verify'];
	const needsSecrets = verify === 'auto' || verify === 'signature';
	const hasKey = verify === 'auto' && !isManual(context);
	let credentialError: unknown;
	// The credential is read once, because n8n decrypts it at each reading.
	const credential = needsSecrets
		? await context
				.getCredentials(credentialType(context))
				.catch((error: unknown): ICredentialDataDecryptedObject => {
					credentialError = error;
					return {};
				})
		: {};
	return {
		eventTypes: readEventTypes(context),
		verify,
		credentialError,
		secret: text(credential.webhookSecret).trim() || undefined,
		ownKey: hasKey ? keyFor(context, credential, urlOf(context)) : undefined,
		filters: readFilters(context),
		output: context.getNodeParameter('output', 'job') as Output,
		view: readView(context),
		// The same event may be tried in the editor as often as people want.
		needsDeduplication:
			parseSwitch(context, 'Ignore Duplicates', options.deduplicate) &&
			context.getMode() !== 'manual',
		confirmationsPerMinute: Math.max(
			1,
			Number(options.confirmationsPerMinute) || usualLookupsPerMinute,
		),
		hasChecks: hasChecks(context),
	};
}

export function readSearch(context: IPollFunctions): Search {
	const { endedWithinDays = usualEndedWithinDays, startFrom: startText = '' } =
		readOptions(context);
	const eventTypes = readEventTypes(context);
	const filters = readFilters(context, '');
	const isAskedById = (eventType: string) => eventTypeOf(eventType).isAskedById;
	const hidden = eventTypes.filter((eventType) => !isPollable(eventType));
	if (hidden.length > 0) {
		throwParameterError(
			context,
			`The platform does not list ${hidden.join(', ')}`,
			'Choose other events, or use the Event Platform Trigger, which receives them from the platform.',
		);
	}
	if (eventTypes.some(isAskedById) && filters.jobIds.length === 0) {
		throwParameterError(
			context,
			"'Job IDs' is empty",
			"The platform does not list jobs. Enter them under 'Job IDs', or use the Event Platform Trigger, which receives all jobs.",
		);
	}
	const startFrom = unixSeconds(startText, workflowZone(context));
	if (startText !== '' && startFrom === undefined) {
		throwParameterError(
			context,
			"'Start From': this is not a date",
			'Give an ISO 8601 date such as 2026-11-28T10:30:00Z, or Unix seconds.',
		);
	}
	return {
		eventTypes,
		filters,
		startFrom,
		leadTimes: readLeadTimes(context, eventTypes),
		endedWithinDays: Math.max(0, Number(endedWithinDays)) || 0,
	};
}

/** Reads how long before their start sessions are told; none where no start is told. Two that are equal count once. */
function readLeadTimes(context: IPollFunctions, eventTypes: readonly string[]): LeadTime[] {
	if (scheduleTypes(eventTypes, 'start').length === 0) return [];
	const chosen = context.getNodeParameter('leadTimes', defaultLeadTimes) as JsonObject;
	const leadTimes = new Map<number, LeadTime>();
	for (const row of [chosen.lead ?? []].flat()) {
		const { amount, unit } = isObject(row) ? row : {};
		const leadTime = parseLeadTime(Number(amount), text(unit));
		if (leadTime === undefined) {
			throwParameterError(
				context,
				`'Lead Times': ${text(amount)} ${text(unit)} is no time before a start`,
				'Give an amount above 0, at most a year, in minutes, hours or days.',
			);
		}
		if (!leadTimes.has(leadTime.minutes)) leadTimes.set(leadTime.minutes, leadTime);
	}
	if (leadTimes.size > 0) return [...leadTimes.values()];
	throwParameterError(context, "'Lead Times' is empty", 'Add at least one, such as 1 hour.');
}

export function readOptions(context: Context): JsonObject {
	return context.getNodeParameter('options', {}) as JsonObject;
}

/** An expression may also give a word or a number. */
export function parseSwitch(context: Context, title: string, value: unknown = true): boolean {
	const reading = readSwitch(value, title);
	if (typeof reading === 'boolean') return reading;
	throwParameterError(context, reading.message, 'Give true or false.');
}

export function readView(context: Context): RecordView {
	const isSimple = parseSwitch(context, 'Simplify', context.getNodeParameter('simplify', true));
	const { includeJoinLink = false } = readOptions(context);
	const includesJoinLink = parseSwitch(context, 'Include Join Link', includeJoinLink);
	const zone = workflowZone(context);
	return { ...(isSimple ? simplifiedItem : wholeRecord), includesJoinLink, zone };
}

/** Whether n8n checks the subscription at times: people may have removed all of them. */
export function hasChecks(context: Context): boolean {
	const { item = [] } = context.getNodeParameter('pollTimes', {}) as { item?: JsonObject[] };
	return !isManual(context) && item.length > 0;
}

export function isManual(context: Context): boolean {
	return context.getNodeParameter('subscription', 'automatic') === 'manual';
}

/** Reads the filters. `above`: the webhook trigger has event and session among its options, the polling trigger beside them. */
export function readFilters(context: Context, above: 'options.' | '' = 'options.'): Filters {
	const options = readOptions(context);
	const idOf = (name: string) =>
		text(context.getNodeParameter(above + name, '', { extractValue: true })).trim() || undefined;
	const title = text(context.getNodeParameter(`${above}eventTitleContains`, '')).trim();
	return {
		jobIds: readNames(options.jobIds),
		needsFailedTasks: parseSwitch(context, 'Only with Failures', options.onlyWithFailures ?? false),
		sessionId: idOf('sessionId'),
		eventId: idOf('eventId'),
		eventTitleContains: title || undefined,
	};
}

export function readEventTypes(context: Context): string[] {
	const selected = readNames(context.getNodeParameter('events', []));
	const eventTypes = new Set([...selected, ...readNames(readOptions(context).otherEvents)]);
	if (eventTypes.size > 0) return [...eventTypes];
	throwParameterError(context, 'No event is chosen', "Choose at least one under 'Trigger On'.");
}

/** During a test in the editor, this is the test URL. */
export function urlOf(context: IHookFunctions | IWebhookFunctions): string {
	return context.getNodeWebhookUrl('default') ?? '';
}

/** Makes the key of our own subscriptions; undefined where the credential has no secret to make one of. */
export function keyFor(
	context: Context,
	credential: ICredentialDataDecryptedObject,
	url: string,
): string | undefined {
	const secret = text(credential.apiToken).trim() || text(credential.clientSecret).trim();
	if (secret === '') return undefined;
	const { id, webhookId } = context.getNode();
	const workflowId = context.getWorkflow().id ?? '';
	return subscriptionKey(secret, { url, workflowId, webhookId: webhookId ?? id });
}

export function throwParameterError(context: Context, message: string, description: string): never {
	throw new NodeOperationError(context.getNode(), message, { description });
}

/** Reads IDs or event types, which people give as a list or as a text with commas or line breaks. */
function readNames(value: unknown): string[] {
	return [value].flat().flatMap((part) => textsIn(part, /[\s,;]/));
}
