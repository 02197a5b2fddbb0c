import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { keepLatest } from '../core/values/collections';
import { redact } from '../core/values/redact';
import {
	retryLater,
	statusOf,
	type DeliveryDecision,
	type OtherDecision,
} from '../core/webhooks/decision';
import { receive } from '../core/webhooks/receive';
import type { Trigger } from '../core/webhooks/trigger';
import { readSettings, runWith } from './parameters';
import { historyOf, storeDeliveries, triggerOf } from './storage';

/** A part of Express's response. */
interface Answerable {
	readonly statusCode: number;
	status(code: number): Answerable;
	end(...parts: unknown[]): unknown;
}

/**
 * Never throws: n8n would make a failed run of it, which anyone who knows the URL could cause.
 * With items n8n answers 200 as soon as the run is created, and an error where it could not be, so
 * that the platform comes again. Without items the answer has no body, so that it tells nothing.
 */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	// A credential may be gone, for one. The platform is asked to come again while it is mended.
	const decision = await decide(this).catch((error: unknown) =>
		retryLater(redact(error instanceof Error ? error.message : String(error))),
	);
	const response = this.getResponseObject() as unknown as Answerable;
	if (decision.kind === 'start') {
		const end = response.end.bind(response);
		// No event tells of an answer that comes after the platform has hung up.
		response.end = (...parts) => {
			decision.onCreated(response.statusCode < 400);
			return end(...parts);
		};
		return { workflowData: runWith(this, decision.items) };
	}
	log(this, decision);
	response.status(statusOf(decision)).end();
	return { noWebhookResponse: true };
}

/** By trigger and status: when an answer was last logged, and how many came since. */
const logged = new Map<string, { at: number; others: number }>();

/** By trigger and reason: what a person was told to change. */
const explained = new Map<string, true>();

/** Writes to the log once what a person has to change, because each further delivery would say the same. */
function explain(context: IWebhookFunctions, reason: string): void {
	const about = `${triggerOf(context)} ${reason}`;
	if (explained.has(about)) return;
	explained.set(about, true);
	keepLatest(explained, 1_000);
	const trigger = `"${context.getNode().name}" of workflow ${context.getWorkflow().id ?? ''}`;
	context.logger.warn(`A delivery to ${trigger} started no run. ${reason}.`);
}

/** One line a minute for each status, with their number: a stranger could otherwise fill the log. */
function log(context: IWebhookFunctions, decision: OtherDecision): void {
	const { reason, needsAttention } = decision;
	if (needsAttention) {
		explain(context, reason);
		return;
	}
	const status = statusOf(decision);
	const about = `${triggerOf(context)} ${status}`;
	const last = logged.get(about) ?? { at: 0, others: 0 };
	if (Math.abs(Date.now() - last.at) < 60_000) {
		last.others += 1;
		return;
	}
	logged.set(about, { at: Date.now(), others: 0 });
	keepLatest(logged, 1_000);
	const others = last.others > 0 ? ` (and ${last.others} others since the last such line)` : '';
	const text = `Event Platform Trigger answered a delivery with ${status}: ${reason}${others}`;
	context.logger[decision.kind === 'retryLater' ? 'warn' : 'debug'](text);
}

async function decide(context: IWebhookFunctions): Promise<DeliveryDecision> {
	const settings = await readSettings(context);
	// In the editor the same event may be tried as often as wanted.
	if (context.getMode() === 'manual') settings.needsDeduplication = false;
	const history = historyOf(context);
	const { key, event } = context.getQueryData() as Record<string, unknown>;
	const signature = context.getHeaderData()['x-livestorm-signature'];
	// As sent. n8n itself does not parse JSON:API's content type, and keeps no copy of a form.
	const { rawBody } = context.getRequestObject() as unknown as { rawBody?: Uint8Array };
	const parsed = () => new TextEncoder().encode(JSON.stringify(context.getBodyData() ?? null));
	const request = { body: rawBody ?? parsed(), signature, key, event };
	const connected: Trigger['connect'] = async (patienceMs) => {
		const { api, apiRoot, clock } = await connect(context);
		const deadline = clock.now() + patienceMs;
		return { api: (request) => api({ ...request, deadlineAtMs: deadline }), apiRoot };
	};
	const decision = await receive(request, { ...settings, history, connect: connected });
	storeDeliveries(context, history);
	return decision;
}
