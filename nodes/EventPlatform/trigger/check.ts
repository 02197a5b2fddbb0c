import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';
import { deliveryKey } from '../core/deliveries/delivery';
import { canBeListed, findMissed, type Gap } from '../core/deliveries/happened';
import { recordOf } from '../core/deliveries/output';
import type { Api } from '../core/http/ports';
import { itemsOf } from './items';
import { readFilters } from './settings';
import { isManual, keepSubscribed } from './subscription';
import { historyOf, store, storedOf } from './stored';

/** n8n polls at once after each activation, which has just looked. */
const justNowMs = 60_000;

/**
 * Whether all that is wanted is still subscribed, at the times that people chose; else subscribes
 * again, and starts the runs of what happened meanwhile. The platform disables a subscription whose
 * deliveries failed for 22 minutes, for instance because n8n was off.
 */
export async function check(context: IPollFunctions): Promise<null> {
	const stored = storedOf(context);
	const { item = [] } = context.getNodeParameter('pollTimes', {}) as { item?: IDataObject[] };
	if (isManual(context) || item.length === 0 || stored.subscription === undefined) return null;
	const { url, seenAt = 0, gap } = stored.subscription;
	const wasJustSeen = Math.abs(Date.now() - seenAt) < justNowMs;
	if (wasJustSeen && gap === undefined) return null;
	try {
		const { api } = await connect(context);
		if (!wasJustSeen) await keepSubscribed(context, api, url);
		const open = stored.subscription.gap;
		if (open) await catchUp(context, api, open);
		delete stored.subscription.gap;
		historyOf(context).checkedAt = Date.now();
		return null;
	} catch (error) {
		throw toNodeError(context.getNode(), error, { what: 'the webhook', scope: 'webhooks' });
	}
}

/** Starts a run for each event that was missed, oldest first; those that arrived start none. */
async function catchUp(context: IPollFunctions, api: Api, gap: Gap): Promise<void> {
	const lost = gap.kinds.filter((kind) => !canBeListed(kind));
	const since = new Date(gap.since).toISOString();
	context.logger.warn(
		`Event Platform Trigger subscribed anew to ${gap.kinds.join(', ')} and catches up since ${since}` +
			(lost.length > 0 ? `, except ${lost.join(', ')}, which the platform does not list` : ''),
	);
	const { seen } = historyOf(context);
	for (const event of await findMissed(api, gap, readFilters(context))) {
		const key = deliveryKey(event);
		if (seen.has(key)) continue;
		seen.add(key);
		store(context, historyOf(context));
		context.__emit([itemsOf(context, [recordOf(event, Date.now())])]);
	}
}
