import { attributesOf } from '../../nodes/EventPlatform/core/client/document';
import { differs, holds, NotSeen, recordsOf, successOf, type Row } from '../row';
import { kindOf, wordOf, words } from '../words';

const common = { needs: 'write', reliesOn: ['subscriptions'] } as const;

/** These rows check what a subscription keeps of the data that was sent. */
export const webhookRows: readonly Row[] = [
	{
		...common,
		id: 'webhook.query',
		says: 'The address of a subscription keeps its query',
		check(seen) {
			const [webhook] = recordsOf(successOf(seen, 'our webhook'));
			if (!webhook) throw new NotSeen(words`the list does not have it`);
			const { url } = attributesOf(webhook);
			if (typeof url !== 'string') return differs(words`url: a text`, words`url: ${kindOf(url)}`);
			return url.endsWith('?key=certify&part=2')
				? holds
				: differs(words`the address as sent`, words`without its query`);
		},
	},
	{
		...common,
		id: 'webhook.listed',
		says: 'A subscription is in the list, under the event that it is for',
		check(seen) {
			const [webhook] = recordsOf(successOf(seen, 'our webhook'));
			if (!webhook) return differs(words`the subscription`, words`not in the list`);
			const { event } = attributesOf(webhook);
			return event === 'job.ended' ? holds : differs(words`'job.ended'`, wordOf(event));
		},
	},
];
