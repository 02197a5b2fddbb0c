import { deliveryQuery } from '../asks/writing';
import { differs, holds, NotSeen, judgeDifferences, responseTo, type Row } from '../row';
import { differences } from '../schema';
import { typeOf, type Seen } from '../seen';
import { mediaType, words } from '../words';
import { isObject } from '../../nodes/EventPlatform/core/values/json';

const common = { section: '6', needs: 'listen', reliesOn: ['deliveries'] } as const;

/** The statements about the platform's deliveries to an address of the user. */
export const deliveryRows: readonly Row[] = [
	{
		...common,
		id: 'delivery.job',
		says: 'job.ended is delivered in one of the shapes that are known',
		evidence: [['components', 'schemas', 'JobDelivery']],
		check: (seen) => judgeDifferences(differences('JobDelivery', delivery(seen).body)),
	},
	{
		...common,
		id: 'delivery.final',
		says: 'job.ended has a job that is over',
		check(seen) {
			const { body } = delivery(seen);
			const record = isObject(body) && isObject(body['data']) ? body['data'] : body;
			const own = isObject(record) ? record['attributes'] : undefined;
			const status = isObject(own) ? own['status'] : undefined;
			return status === 'processing' ? differs(words`a final status`, words`'processing'`) : holds;
		},
	},
	{
		...common,
		id: 'delivery.media',
		says: 'A delivery is JSON',
		check(seen) {
			const type = typeOf(delivery(seen));
			return /\bjson\b/.test(type) ? holds : differs(words`JSON`, mediaType(type));
		},
	},
	{
		...common,
		id: 'delivery.query',
		reliesOn: ['subscriptions'],
		says: 'A delivery comes to the address with its query',
		check(seen) {
			const came = delivery(seen).headers['x-query'];
			return came === deliveryQuery
				? holds
				: differs(words`the query as sent`, words`another query`);
		},
	},
	{
		...common,
		id: 'delivery.signature',
		reliesOn: ['signature'],
		says: 'A signature is a time in seconds and a SHA-256 in hexadecimal digits, with a comma between',
		evidence: [['components', 'parameters', 'Signature']],
		check(seen) {
			const signature = delivery(seen).headers['x-livestorm-signature'];
			if (signature === undefined) throw new NotSeen(words`the delivery was not signed`);
			return /^\d{10},[\da-f]{64}$/.test(signature)
				? holds
				: differs(words`seconds, comma, 64 digits`, words`another form`);
		},
	},
	{
		...common,
		id: 'delivery.genuine',
		reliesOn: ['signature'],
		says: 'The signature is the SHA-256 of time, secret and body',
		check(seen) {
			const genuine = delivery(seen).headers['x-genuine'];
			if (genuine === undefined) throw new NotSeen(words`EVENT_PLATFORM_WEBHOOK_SECRET is not set`);
			return genuine === 'true'
				? holds
				: differs(words`the signature of this body`, words`another one`);
		},
	},
	{
		...common,
		id: 'delivery.again',
		says: 'A delivery that was refused comes again after about 30 seconds',
		check(seen) {
			const first = delivery(seen);
			const again = seen.get('second delivery');
			if (!again || 'lost' in again)
				return differs(words`again after 30 s`, words`not again within 90 s`);
			const seconds = Math.round((again.at - first.at) / 1_000);
			return seconds >= 15 && seconds <= 60
				? holds
				: differs(words`after about 30 s`, words`after ${seconds} s`);
		},
	},
];

function delivery(seen: Seen) {
	return responseTo(seen, 'delivery');
}
