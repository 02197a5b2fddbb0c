import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';
import { isManual, look, readOurs, subscribeTo } from './subscription';
import { storedOf } from './stored';

/** n8n polls at once after each activation, which has just looked. */
const justNowMs = 60_000;

/**
 * Whether all that is wanted is still subscribed, at the times that people chose; else subscribes
 * again. The platform disables a subscription whose deliveries failed for 22 minutes, for instance
 * because n8n was off. It starts no run.
 */
export async function check(context: IPollFunctions): Promise<null> {
	const { subscription } = storedOf(context);
	const { item = [] } = context.getNodeParameter('pollTimes', {}) as { item?: IDataObject[] };
	if (isManual(context) || item.length === 0 || subscription === undefined) return null;
	if (Math.abs(Date.now() - (subscription.seenAt ?? 0)) < justNowMs) return null;
	try {
		const { api } = await connect(context);
		const ours = await readOurs(context, subscription.url);
		const missing = await look(context, api, ours);
		if (missing.length === 0) return null;
		await subscribeTo(context, api, ours, missing);
		context.logger.warn(
			`Event Platform Trigger subscribed anew to ${missing.join(', ')}: the platform had no subscription any more`,
		);
		return null;
	} catch (error) {
		throw toNodeError(context.getNode(), error, { what: 'the webhook' });
	}
}
