import type { FastifyInstance } from 'fastify';
import { withoutSecrets } from '../access/redact';
import { Refusal, notFound } from '../refusal';
import type { Deliveries, Delivery } from './deliveries';

interface Controlled {
	deliveries: Deliveries;
	enqueue(delivery: Delivery): string;
	isSubscribed(webhookId: string): boolean;
}

const mostListed = 1_000;

export function addWebhookControlRoutes(
	app: FastifyInstance,
	{ deliveries, enqueue, isSubscribed }: Controlled,
): void {
	/** Oldest first, like the request log. */
	app.get('/_sandbox/deliveries', (_request, reply) => {
		const read = (delivery: Delivery) => ({
			...delivery,
			body: JSON.parse(delivery.body) as unknown,
		});
		const list = deliveries.latest(mostListed).reverse().map(read);
		return reply.type('application/json').send(JSON.stringify(list, withoutSecrets));
	});

	app.post<{ Params: { id: string } }>('/_sandbox/deliveries/:id/redeliver', (request, reply) => {
		const { id } = request.params;
		const delivery = deliveries.find(id);
		if (!delivery) throw notFound('delivery', id);
		if (!isSubscribed(delivery.webhookId)) {
			throw new Refusal(409, 'The subscription of this delivery was deleted or disabled.');
		}
		return reply.code(202).send({ id: enqueue(delivery) });
	});
}
