import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { credentialType } from '../n8n/authentication';
import { toNodeError } from '../n8n/nodeError';
import { findLatest } from '../core/deliveries/lists';
import { readNews } from '../core/deliveries/polling';
import { earn, isPaid, perDayOf, pollersOf } from '../core/month/pollingShare';
import { readOptions, readWanted, refuse, runOf, switched } from './settings';
import { readPolling, storePolling, triggerOf } from './storage';

/** Those that have been polled with: n8n uses one from an activation to the deactivation, or a new one each time. */
const contexts = new WeakSet<IPollFunctions>();
const polling = new Set<string>();

/** All that is new, as the items of one run. A poll that is due while one goes on is left out. */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isNew = !contexts.has(this) && this.getActivationMode() === 'activate';
	const trigger = triggerOf(this);
	if (polling.has(trigger)) return null;
	contexts.add(this);
	polling.add(trigger);
	try {
		const isTest = this.getMode() === 'manual';
		return isTest ? await showLatest(this) : await look(this, isNew);
	} catch (error) {
		throw toNodeError(this.getNode(), error, { scope: 'events' });
	} finally {
		polling.delete(trigger);
	}
}

async function look(context: IPollFunctions, isNew: boolean) {
	const wanted = { ...readWanted(context), isNew };
	// n8n keeps it with the workflow: together with the run that `poll` returns, or when something else is stored.
	const { cursor, share: storedShare } = readPolling(context);
	const isLimited = switched(context, 'Limit Monthly Requests', readOptions(context).keepToShare);
	const share = earn(storedShare, Date.now());
	const type = credentialType(context);
	const credential = `${type} ${context.getNode().credentials?.[type]?.id ?? ''}`;
	const triggers = pollersOf(credential, triggerOf(context), Date.now());
	const isDue = isNew || cursor === undefined || isPaid(share, cursor.hasMore);
	if (isLimited && !isDue) {
		// Our clock was ahead, and is not any more: else nothing is earned until it is so late again.
		const isAhead = storedShare !== undefined && storedShare.at > share.at;
		if (isAhead) storePolling(context, { share: { ...storedShare, at: share.at } });
		return null;
	}
	const { api } = await connect(context);
	try {
		const found = await readNews(api, cursor, wanted, Date.now);
		storePolling(context, { cursor: found.next });
		return runOf(context, found);
	} finally {
		const { requests, monthReturnsAt: returnsAt } = api.usage;
		const perDay = perDayOf(api.usage, Date.now(), triggers);
		const spent = { ...share, credit: share.credit - requests, perDay, returnsAt };
		storePolling(context, { share: spent });
	}
}

/** The test button of the editor. */
async function showLatest(context: IPollFunctions) {
	const { api } = await connect(context);
	const latest = await findLatest(api, readWanted(context), Math.floor(Date.now() / 1_000));
	if (latest) return runOf(context, { news: [latest], failures: [] });
	refuse(
		context,
		'Nothing of this kind was found to test with',
		'The platform shows no such event of the last 30 days in the sessions that this node checks, or the job has not ended. Register somebody to test with, or choose other events.',
	);
}
