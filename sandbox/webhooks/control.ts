import type { FastifyInstance } from 'fastify';
import { withoutSecrets } from '../access/redact';
import { errorsText, shape } from '../check';
import { Refusal, notFound } from '../refusal';
import type { Deliveries, Delivery } from './deliveries';

export interface WebhookSettings {
	/** `specified`: job.ended as GET /jobs/:id shows the job. `wrapped`: like every other event type. */
	jobPayload: 'specified' | 'wrapped';
}

interface Controlled {
	deliveries: Deliveries;
	settings: WebhookSettings;
	enqueue(delivery: Delivery): string;
	isSubscribed(webhookId: string): boolean;
}

const mostListed = 1_000;

const isSettings = shape<WebhookSettings>({
	type: 'object',
	required: ['jobPayload'],
	additionalProperties: false,
	properties: { jobPayload: { enum: ['specified', 'wrapped'] } },
});

export function addWebhookControlRoutes(
	app: FastifyInstance,
	{ deliveries, settings, enqueue, isSubscribed }: Controlled,
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

	app.post('/_sandbox/webhooks', (request) => {
		if (!isSettings(request.body)) throw new Refusal(400, errorsText(isSettings));
		return Object.assign(settings, request.body);
	});
}
