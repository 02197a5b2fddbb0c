import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';
import { deliveryKey } from '../core/deliveries/delivery';
import { canBeListed, findMissed, type Gap } from '../core/deliveries/happened';
import { recordOf } from '../core/deliveries/output';
import { mostAtOnce } from '../core/deliveries/polling';
import type { Api } from '../core/http/ports';
import { itemsOf, showOf } from './items';
import { isManual, readFilters } from './settings';
import { keepSubscribed } from './subscription';
import { historyOf, store, storedOf, triggerOf } from './stored';

/** n8n polls at once after each activation, which has just looked. */
const justNowMs = 60_000;
const checking = new Set<string>();

/**
 * Whether all that is wanted is still subscribed, at the times that people chose; else subscribes
 * again, and starts one run with what happened meanwhile. The platform disables a subscription whose
 * deliveries failed for 22 minutes, for instance because n8n was off.
 */
export async function check(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const { item = [] } = context.getNodeParameter('pollTimes', {}) as { item?: IDataObject[] };
	const trigger = triggerOf(context);
	if (isManual(context) || item.length === 0 || checking.has(trigger)) return null;
	const history = historyOf(context);
	const stored = storedOf(context);
	const latest = [stored.subscription, history.subscription].sort(
		(one, other) => (other?.seenAt ?? 0) - (one?.seenAt ?? 0),
	)[0];
	if (latest === undefined) return null;
	const { url, seenAt = 0, gap } = latest;
	const wasJustSeen = Math.abs(Date.now() - seenAt) < justNowMs;
	if (wasJustSeen && gap === undefined) return null;
	if (stored.subscription?.seenAt !== seenAt) stored.subscription = { ...latest };
	checking.add(trigger);
	try {
		const { api } = await connect(context);
		if (!wasJustSeen) await keepSubscribed(context, api, url);
		const open = stored.subscription?.gap;
		const { items, isLast } = open
			? await catchUp(context, api, open)
			: { items: null, isLast: true };
		if (isLast) {
			delete stored.subscription?.gap;
			delete history.subscription?.gap;
			history.checkedAt = Date.now();
		}
		return items;
	} catch (error) {
		throw toNodeError(context.getNode(), error, { what: 'the webhook', scope: 'webhooks' });
	} finally {
		checking.delete(trigger);
	}
}

/** The events that were missed, oldest first, as the items of one run; those that arrived are left out. */
async function catchUp(context: IPollFunctions, api: Api, gap: Gap) {
	const kinds = Object.keys(gap);
	const lost = kinds.filter((kind) => !canBeListed(kind));
	const since = new Date(Math.min(...Object.values(gap))).toISOString();
	context.logger.warn(
		`Event Platform Trigger subscribed anew to ${kinds.join(', ')} and catches up since ${since}` +
			(lost.length > 0 ? `, except ${lost.join(', ')}, which the platform does not list` : ''),
	);
	const history = historyOf(context);
	const found = await findMissed(api, gap, readFilters(context));
	const missed = found.filter((event) => !history.seen.has(deliveryKey(event)));
	const taken = missed.slice(0, mostAtOnce);
	for (const event of taken) history.seen.add(deliveryKey(event), Date.now());
	store(context, history);
	const records = taken.map((event) => recordOf(event, Date.now(), showOf(context)));
	return {
		items: records.length === 0 ? null : [itemsOf(context, records)],
		isLast: taken.length === missed.length,
	};
}
