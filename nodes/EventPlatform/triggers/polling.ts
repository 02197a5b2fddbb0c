import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { credentialType } from '../n8n/authentication';
import { toActivationError, toNodeError } from '../n8n/nodeError';
import type { PollLimits, Search } from '../core/polling/cursor';
import { eventTypeOf, listableTypes } from '../core/events/eventTypes';
import { findLatest } from '../core/polling/latest';
import { needsSessions } from '../core/polling/sessions';
import { readNews } from '../core/polling/newEvents';
import { PollingLedger, type Poller } from '../core/polling/ledger';
import { timeOf, within } from './pollTime';
import { parseSwitch, readOptions, readSearch, runOf, throwParameterError } from './parameters';
import { readPolling, storePolling, triggerOf, type StoredPolling } from './storage';

/** Those that have been polled with: n8n uses one from an activation to the deactivation, or a new one each time. */
const contexts = new WeakSet<IPollFunctions>();
const polling = new Set<string>();
const ledger = new PollingLedger();

/** All that is new, as the items of one run. A poll that is due while one goes on is left out. */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isFirst = !contexts.has(this);
	const isActivated = isFirst && this.getActivationMode() === 'activate';
	const trigger = triggerOf(this);
	if (polling.has(trigger)) return null;
	contexts.add(this);
	polling.add(trigger);
	const isTest = this.getMode() === 'manual';
	try {
		return isTest ? await showLatest(this) : await look(this, isActivated);
	} catch (error) {
		// n8n polls for the first time as a part of the activation.
		const toError = isFirst && !isTest ? toActivationError : toNodeError;
		throw toError(this.getNode(), error, { scope: 'events' });
	} finally {
		polling.delete(trigger);
	}
}

/**
 * A poll, if its requests are paid for. n8n stores what it wrote together with the run that it returns, and at the end of
 * an activation; what a poll without news wrote is gone when the process ends.
 */
async function look(context: IPollFunctions, isActivated: boolean) {
	const now = Date.now();
	const stored = readPolling(context);
	const search = readSearch(context);
	const poller = pollerOf(context, stored, search);
	const permit = ledger.permit(poller, stored.share, stored.cursor?.hasMore === true, now);
	const isLimited = parseSwitch(
		context,
		'Limit Monthly Requests',
		readOptions(context).keepToShare,
	);
	const { begunAt = now } = stored;
	if (isLimited && !isActivated && !poller.isNew && !permit.isPaid) {
		// Events from now on are news all the same, so the beginning is kept.
		if (stored.cursor === undefined) storePolling(context, { begunAt });
		return null;
	}
	const begunAgoSeconds = Math.max(0, Math.floor((now - begunAt) / 1_000));
	const currentSearch = { ...search, isNew: isActivated, begunAgoSeconds };
	const time = timeOf(context);
	const mayReadDaily = !isLimited || !permit.isFirst || isActivated;
	const limits: PollLimits = { isTimeOver: time.isOver, mayReadDaily };
	const { api } = await connect(context);
	try {
		const result = await readNews(
			within(time, api),
			stored.cursor,
			currentSearch,
			Date.now,
			limits,
		);
		const isBegun = result.next !== undefined;
		storePolling(context, { cursor: result.next, begunAt: isBegun ? undefined : begunAt });
		return runOf(context, result);
	} finally {
		const { requests, sentByProcess = requests, ...usage } = api.usage;
		const spent = { requests, sentByProcess, usage };
		storePolling(context, { share: ledger.record(poller, permit, spent, Date.now()) });
	}
}

function pollerOf(
	context: IPollFunctions,
	{ cursor, share }: StoredPolling,
	search: Search,
): Poller {
	const type = credentialType(context);
	const credential = `${type} ${context.getNode().credentials?.[type]?.id ?? ''}`;
	// At a start of n8n nothing stored is no sign of a new trigger: the process may have ended before n8n stored it.
	const isStart = context.getActivationMode() === 'init';
	const isNew = cursor === undefined && share === undefined && !isStart;
	return { id: triggerOf(context), credential, isNew, leastCost: leastCostOf(search) };
}

/** Requests of a poll that finds nothing new: one for each list, and one for each job. */
function leastCostOf({ eventTypes, filters }: Search): number {
	const hasSessions = needsSessions(eventTypes);
	const hasEvents = listableTypes(eventTypes, 'events').length > 0;
	const jobs = eventTypes.some((eventType) => eventTypeOf(eventType).isAskedById)
		? filters.jobIds.length
		: 0;
	return Number(hasSessions) + Number(hasEvents) + jobs;
}

/** The test button of the editor. */
async function showLatest(context: IPollFunctions) {
	const { api } = await connect(context);
	const latest = await findLatest(api, readSearch(context), Math.floor(Date.now() / 1_000));
	if (latest) return runOf(context, { news: [latest], failures: [] });
	throwParameterError(
		context,
		'Nothing of this kind was found to test with',
		'The platform shows no such event of the last 30 days in the sessions that this node checks, or the job has not ended. Register somebody to test with, or choose other events.',
	);
}
