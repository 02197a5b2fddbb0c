import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { connect, readTokenKey } from '../n8n/connect';
import { signatureHeader } from '../core/dialect/webhooks';
import type { DeliveryRequest } from '../core/webhooks/webhookTrigger';
import { retryAfterError, statusOf, type DeliveryDecision } from '../core/webhooks/decision';
import { receive } from '../core/webhooks/receive';
import { logDelivery } from './deliveryLog';
import { runWith } from './items';
import { readTriggerSettings } from './parameters';
import { factsOf, historyOf, storeDeliveries } from './storage';

interface HttpResponse {
	readonly statusCode: number;
	status(code: number): HttpResponse;
	end(body?: unknown, encoding?: unknown, onSent?: unknown): unknown;
}

/**
 * Takes a delivery. It never throws, because n8n would make a failed run of it, which anyone who knows the URL could cause.
 * With items n8n responds with 200 as soon as the run is created, and an error where it could not be, so
 * that the platform comes again. Without items the response has no body, so that it tells nothing.
 */
export async function takeDelivery(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const decision = await decideAndStore(this).catch(retryAfterError);
	if (decision.kind === 'start') return { workflowData: runWith(decision.items) };
	logDelivery(this, decision);
	responseOf(this).status(statusOf(decision)).end();
	return { noWebhookResponse: true };
}

async function decideAndStore(context: IWebhookFunctions): Promise<DeliveryDecision> {
	const history = historyOf(context);
	const settings = await readTriggerSettings(context);
	const trigger = {
		settings,
		history,
		connect: () => connect(context),
		factsMemory: async () => factsOf(await readTokenKey(context)),
	};
	const decision = await receive(requestOf(context), trigger);
	storeDeliveries(context, history);
	if (decision.kind === 'start') {
		tellWhenSent(responseOf(context), (isCreated) => history.settle(decision, isCreated));
	}
	return decision;
}

function responseOf(context: IWebhookFunctions): HttpResponse {
	const response = context.getResponseObject() as unknown as HttpResponse;
	return response;
}

function requestOf(context: IWebhookFunctions): DeliveryRequest {
	const { key, event } = context.getQueryData() as Record<string, unknown>;
	const signature = context.getHeaderData()[signatureHeader];
	// The signature is made of the body as it was sent. n8n itself does not parse JSON:API's content type, and keeps no copy of a form.
	const { rawBody } = context.getRequestObject() as unknown as { rawBody?: Uint8Array };
	const parsed = () => new TextEncoder().encode(JSON.stringify(context.getBodyData() ?? null));
	return { body: rawBody ?? parsed(), signature, key, event };
}

/**
 * No event tells of a response that comes after the platform has hung up. So the status tells whether n8n could create the run,
 * as soon as n8n responds. What follows from it stays in the process, and is stored with the next delivery: n8n has saved this one.
 */
function tellWhenSent(response: HttpResponse, onCreated: (isCreated: boolean) => void): void {
	const end = response.end.bind(response);
	response.end = (body, encoding, onSent) => {
		onCreated(response.statusCode < 400);
		return end(body, encoding, onSent);
	};
}
