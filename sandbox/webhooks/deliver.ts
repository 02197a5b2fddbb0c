import type { FastifyInstance } from 'fastify';
import { fault, readDeliveries } from '../contract';
import type { SandboxOptions } from '../options';
import type { ApiRecord, Platform, EventType } from '../platform';
import { organizationId } from '../records/account';
import { addWebhookControlRoutes } from './control';
import { createDeliveries, type Attempt, type Deliveries, type Delivery } from './deliveries';
import { post } from './post';
import { afterAttempt } from './schedule';
import { sign } from './signature';
import { scheduleOf } from '../world/deliveryTraits';
import { jobAnswer } from '../world/jobAnswer';
import { inWorld } from '../world/records';
import { deliveryInShape } from '../world/shape';

/** How many requests may be under way at once. A slow receiver must not pile them up. */
const concurrency = 8;
const forms = readDeliveries();

/** The parts of a delivery that are stored before its first attempt. */
type NewDelivery = Pick<Delivery, 'webhookId' | 'url' | 'event' | 'body'>;

/** Delivers what happened to the subscribers, and again until one answers 2xx or the last retry failed. */
export class Webhooks {
	private readonly deliveries: Deliveries;
	private readonly stopped = new AbortController();
	private underWay = 0;
	private wakesAt = Infinity;

	constructor(private readonly platform: Platform) {
		this.deliveries = createDeliveries(platform);
		platform.onReset(() => this.deliveries.clear());
		// A former run may have left deliveries undone.
		const leftOver = this.deliveries.nextAt();
		if (leftOver !== null) this.wakeAt(leftOver);
	}

	/** Sends to each subscriber that something happened. */
	announce(eventType: EventType, record: ApiRecord): void {
		const { store, options, violations } = this.platform;
		const sql = 'SELECT id, url FROM webhooks WHERE event = ? AND disabled_at = 0';
		const subscriptions = store.all(sql, eventType);
		if (subscriptions.length === 0) return;
		const sent = bodyOf(options, eventType, record);
		const mistake = mistakeIn(eventType, sent);
		if (mistake !== undefined) {
			violations.push(mistake);
			return;
		}
		const body = JSON.stringify(deliveryInShape(options, sent));
		for (const { id, url } of subscriptions) {
			this.send({ webhookId: String(id), url: String(url), event: eventType, body });
		}
	}

	/** Adds the control paths, and stops with the server. */
	register(app: FastifyInstance): void {
		addWebhookControlRoutes(app, {
			deliveries: this.deliveries,
			enqueue: (delivery) => this.enqueue(delivery),
			isSubscribed: (webhookId) => this.isSubscribed(webhookId),
		});
		app.addHook('preClose', (done) => {
			this.stopped.abort();
			done();
		});
	}

	/** Sends a delivery as often and as late as the traits of this platform decide. */
	private send(delivery: NewDelivery): void {
		const { times, delayMs } = scheduleOf(this.platform.options, this.platform.draw);
		for (let time = 0; time < times; time++) this.enqueue(delivery, delayMs);
	}

	private enqueue(delivery: NewDelivery, delayMs = 0): string {
		const id = this.deliveries.add(delivery, delayMs);
		this.wakeAt(this.platform.now() + delayMs);
		return id;
	}

	private wakeAt(time: number): void {
		if (time >= this.wakesAt) return;
		this.wakesAt = time;
		this.platform.later(Math.max(0, time - this.platform.now()), () => this.sendDue());
	}

	/** Sends what is due, up to `concurrency` at once, and is called again when the next is due. */
	private sendDue(): void {
		this.wakesAt = Infinity;
		if (this.stopped.signal.aborted) return;
		for (const delivery of this.deliveries.take(concurrency - this.underWay)) {
			this.underWay += 1;
			void this.attempt(delivery).finally(() => {
				this.underWay -= 1;
				this.sendDue();
			});
		}
		const nextAt = this.deliveries.nextAt();
		if (nextAt !== null && this.underWay < concurrency) this.wakeAt(nextAt);
	}

	private async attempt({ id, webhookId, url, event, body, attempts }: Delivery): Promise<void> {
		const { store, options, now } = this.platform;
		if (!this.isSubscribed(webhookId) || !this.isAllowed(url)) {
			this.deliveries.record(id, 'cancelled', attempts, 0);
			return;
		}
		const time = now();
		const headers: Record<string, string> = options.webhookSecret
			? { 'x-livestorm-signature': sign(options.webhookSecret, body, time) }
			: {};
		const outcome = await post(url, body, mediaTypeOf(event), headers, this.stopped.signal);
		if (this.stopped.signal.aborted) return;
		const made: Attempt[] = [...attempts, { time, durationMs: now() - time, ...outcome }];
		const next = afterAttempt(outcome, made.length, options.webhookRetryFactor);
		store.transaction(() => {
			if (typeof next === 'object') {
				this.deliveries.record(id, 'pending', made, now() + next.retryInMs);
			} else {
				this.deliveries.record(id, next, made, 0);
				if (next === 'failed') this.disable(webhookId);
			}
		});
	}

	private isSubscribed(webhookId: string): boolean {
		const sql = 'SELECT 1 FROM webhooks WHERE id = ? AND disabled_at = 0';
		return this.platform.store.get(sql, webhookId) !== undefined;
	}

	/** The option may have changed since the subscription was made. */
	private isAllowed(url: string): boolean {
		const { allowHttpWebhooks } = this.platform.options;
		return /^https:/i.test(url) || (allowHttpWebhooks && /^http:/i.test(url));
	}

	private disable(webhookId: string): void {
		const { store, now } = this.platform;
		const at = Math.floor(now() / 1000);
		store.write('UPDATE webhooks SET disabled_at = ? WHERE id = ?', at, webhookId);
		this.deliveries.cancelOf(webhookId);
	}
}

function bodyOf(options: SandboxOptions, eventType: EventType, record: ApiRecord): unknown {
	// Section 6: job.ended has the same payload as GET /jobs/:id.
	if (eventType === 'job.ended') return jobAnswer(options, record);
	const meta = { webhook: { event: eventType, organization_id: organizationId } };
	return inWorld(options, { data: { ...record, meta } });
}

/** Says how a body breaks the contract. Such a body is a mistake of the sandbox. It is kept as one and not sent. */
function mistakeIn(eventType: EventType, body: unknown): string | undefined {
	const check = forms.get(eventType)?.check;
	if (check?.(body)) return undefined;
	return check ? fault(check, `${eventType}:`) : `${eventType} is not in the contract`;
}

function mediaTypeOf(eventType: string): string {
	return forms.get(eventType)?.mediaType ?? 'application/json';
}
