import type { IHookFunctions, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { shortKey, deliveryKey } from '../core/events/eventKey';
import { readMissed } from '../core/webhooks/gap';
import { isListable, eventTypeOf } from '../core/events/eventTypes';
import type { DeliveryHistory } from '../core/webhooks/history';
import { webhooksOf } from '../core/webhooks/subscriptionMemory';
import { keep, subscribe, unsubscribe, type Subscriber } from '../core/webhooks/subscriptions';
import { apiRoot } from '../core/client/baseUrl';
import { describeUndeliverable } from '../core/webhooks/deliverable';
import { endingAt, type Run } from '../core/client/run';
import { minuteMs } from '../core/values/units';
import { credentialType } from '../n8n/authentication';
import { connect, readApiRoot } from '../n8n/connect';
import { toActivationError, toNodeError } from '../n8n/nodeError';
import { runOf } from './items';
import { beginPollTime, type PollTime } from './pollTime';
import {
	hasChecks,
	isManual,
	keyFor,
	readFilters,
	readEventTypes,
	readTriggerSettings,
	throwParameterError,
	urlOf,
} from './parameters';
import { historyOf, readDeliveries, storeDeliveries, storeSubscription } from './storage';
import { isStartOfN8n } from './triggerContext';
import { smallestOf } from '../core/values/collections';

/* From the publication of a workflow to its end: subscribes, checks at times whether the subscriptions are still there, and unsubscribes. */

type SubscriptionContext = IHookFunctions | IPollFunctions;

/**
 * Subscribes. n8n calls this on activation and at each of its starts. Where it fails for this trigger or another one of the workflow,
 * n8n calls `unsubscribeAtDeactivation` for all of them; at its start it then tries again.
 */
export async function subscribeAtActivation(context: IHookFunctions): Promise<boolean> {
	const isStart = isStartOfN8n(context);
	const history = historyOf(context);
	history.subscriptionMemory.noteActivation(isStart);
	try {
		await checkSettings(context);
		if (isManual(context)) return true;
		await inTurn(context, history, async (run) => {
			const { ongoing, ...subscriber } = await readSubscriber(context, history);
			// A person who publishes the workflow begins anew.
			const goingOn = isStart ? { ...subscriber, ongoing } : subscriber;
			await subscribe(run, goingOn, readEventTypes(context));
		});
	} catch (error) {
		history.subscriptionMemory.noteFailedActivation();
		throw toActivationError(context.getNode(), error, { apiRoot: await readApiRoot(context) });
	}
	return true;
}

/** Unsubscribes. n8n calls this on deactivation. Subscriptions made before Subscription was set to Manual go as well. */
export async function unsubscribeAtDeactivation(context: IHookFunctions): Promise<boolean> {
	const history = historyOf(context);
	if (isManual(context) && !history.subscriptionMemory.ongoing) return true;
	if (history.subscriptionMemory.noteDeactivation() === 'retry') return true;
	try {
		await inTurn(context, history, async (run) =>
			unsubscribe(run, await readSubscriber(context, history)),
		);
	} catch (error) {
		throw toActivationError(context.getNode(), error, { apiRoot: await readApiRoot(context) });
	}
	return true;
}

/** n8n polls at once after each activation, and the activation has just looked. */
const sameActivationMs = minuteMs;

/**
 * Subscribes again, at the times that people chose, to event types that have lost their webhook, and catches up. The platform
 * disables a subscription when all attempts of a delivery have failed, for instance because n8n was off.
 */
export async function checkSubscriptions(
	this: IPollFunctions,
): Promise<INodeExecutionData[][] | null> {
	const time = beginPollTime(this);
	const history = historyOf(this);
	const { subscriptionMemory } = history;
	subscriptionMemory.notePoll();
	if (!hasChecks(this)) return null;
	return await inTurn(this, history, async (run) => {
		if (subscriptionMemory.ongoing === undefined) return null;
		const wasJustSeen = subscriptionMemory.lookedAgoMs < sameActivationMs;
		const subscriber = await readSubscriber(this, history);
		if (!wasJustSeen) await subscribe(run, subscriber, readEventTypes(this));
		return await catchUp(this, { run, time }, subscriber, history).catch((error: unknown) => {
			// It reads lists, which need another scope than the webhooks.
			throw toNodeError(this.getNode(), error, { scope: 'events' });
		});
	});
}

async function catchUp(
	context: IPollFunctions,
	{ run, time }: { run: Run; time: PollTime },
	subscriber: Subscriber,
	history: DeliveryHistory,
): Promise<INodeExecutionData[][] | null> {
	const { ongoing: subscription } = history.subscriptionMemory;
	if (!subscription?.missed) return null;
	const { missed: gap } = subscription;
	const { beganAtMs } = gap;
	const eventTypes = Object.keys(beganAtMs);
	const lost = eventTypes.filter((eventType) => !isListable(eventType));
	const from = new Date(smallestOf(Object.values(beganAtMs))).toISOString();
	const whatIsLost =
		lost.length > 0
			? `. What it missed of ${lost.join(', ')} is lost: the platform has no list`
			: '';
	context.logger.warn(
		`${context.getNode().name} may have missed ${eventTypes.join(', ')} since ${from}, and reads what happened with this check or the next${whatIsLost}`,
	);
	// What was missed stays noted for the next check.
	if (time.isTimeOver()) return null;
	const filters = readFilters(context);
	const inTime = endingAt(run, time.deadlineAtMs);
	const missed = await readMissed(inTime, gap, filters, history, time);
	// A delivery may have been missed meanwhile.
	const current = history.subscriptionMemory.ongoing?.missed;
	keep(subscriber, { ...subscription, missed: current === gap ? missed.left : current });
	history.remember(missed.news.map(deliveryKey));
	storeDeliveries(context, history);
	return runOf(context, missed);
}

/** Reads what tells our webhooks from those of others: our key, and the webhooks that we have made. */
async function readSubscriber(
	context: SubscriptionContext,
	{ subscriptionMemory }: DeliveryHistory,
): Promise<Subscriber> {
	// A check knows the URL from the activation.
	const url =
		'getNodeWebhookUrl' in context ? urlOf(context) : (subscriptionMemory.ongoing?.url ?? '');
	// The owner is this workflow in this n8n. A copy of the workflow carries the stored data of the original, which is still in use.
	const owner = shortKey([context.getInstanceId(), context.getWorkflow().id, context.getNode().id]);
	// A test in the editor that has failed is ended in the mode of the trigger in use. It has another URL, and has stored nothing.
	const isThis = [url, readDeliveries(context).subscription?.url].includes(
		subscriptionMemory.ongoing?.url,
	);
	const ongoing =
		isThis && subscriptionMemory.ongoing?.owner === owner ? subscriptionMemory.ongoing : undefined;
	const key = keyFor(context, await context.getCredentials(credentialType(context)), url);
	return {
		identity: { url, key, made: webhooksOf(ongoing) },
		owner,
		isOfTest: context.getMode() === 'manual' || undefined,
		ongoing,
		memory: subscriptionMemory,
		store: (subscription) => storeSubscription(context, subscription),
		warn: (text) => context.logger.warn(text),
	};
}

/** Refuses settings that cannot work when the workflow is activated, because otherwise the first delivery would be lost. */
async function checkSettings(context: IHookFunctions): Promise<void> {
	const { baseUrl } = await context.getCredentials(credentialType(context));
	const { eventTypes, verify, secret, ownKey } = await readTriggerSettings(context);
	if (verify === 'signature' && secret === undefined) {
		throwParameterError(
			context,
			'There is no secret to check signatures with',
			"Enter the 'Webhook Signing Secret' in the credential, or choose another way under 'Verify'.",
		);
	}
	const url = urlOf(context);
	const obstacle = describeUndeliverable(url, apiRoot(baseUrl));
	if (!isManual(context) && obstacle !== undefined) {
		throwParameterError(context, `The platform cannot reach ${url}: ${obstacle}`, howToBeReachable);
	}
	const needsApi =
		verify === 'api' || (verify === 'auto' && secret === undefined && ownKey === undefined);
	const unknown = eventTypes.filter((eventType) => eventTypeOf(eventType).type === undefined);
	if (needsApi && unknown.length > 0) {
		throwParameterError(
			context,
			`The platform's API cannot confirm ${unknown.join(', ')}`,
			"The API can confirm only jobs, people, sessions and events. Choose 'Signature' under 'Verify', or 'None' to accept any request.",
		);
	}
}

/** Does work on our subscriptions after the work that is under way. */
async function inTurn<Result>(
	context: SubscriptionContext,
	{ subscriptionMemory }: DeliveryHistory,
	work: (run: Run) => Promise<Result>,
) {
	try {
		const run = await connect(context);
		return await subscriptionMemory.changeInTurn(() => work(run));
	} catch (error) {
		throw toNodeError(context.getNode(), error, {
			what: 'the webhook',
			scope: 'webhooks',
			apiRoot: await readApiRoot(context),
		});
	}
}

const howToBeReachable =
	"Use the Event Platform Polling Trigger, which needs no public address. Or give this n8n a public HTTPS address and set it in the environment variable N8N_WEBHOOK_URL (older versions of n8n: WEBHOOK_URL); to try it out, a tunnel is enough. Or set 'Subscription' to 'Manual' and enter an address on the platform that leads here.";
