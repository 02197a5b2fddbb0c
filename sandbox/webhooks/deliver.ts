import type { FastifyInstance } from 'fastify';
import { fault, readDeliveries } from '../contract';
import type { ApiRecord, Platform, WebhookKind } from '../platform';
import { organizationId } from '../records/account';
import { addWebhookControlRoutes, type WebhookSettings } from './control';
import { createDeliveries, type Attempt, type Delivery } from './deliveries';
import { post } from './post';
import { afterAttempt } from './schedule';
import { sign } from './signature';
import { scheduleOf } from '../world/deliveryTraits';
import { jobAnswer, jobInWords } from '../world/jobAnswer';
import { inWorld } from '../world/records';
import { deliveryInShape } from '../world/shape';

/** At most so many requests under way at once: a slow receiver must not pile them up. */
const concurrency = 8;
const forms = readDeliveries();
/** Between a delivery and the one that waited for it. */
const gapMs = 20;

/** Delivers what happened to the subscribers, and again until one answers 2xx or the last retry failed. */
export function createWebhooks(platform: Platform) {
	const { store, options, now } = platform;
	const deliveries = createDeliveries(platform);
	const settings: WebhookSettings = { jobPayload: 'specified' };
	/** By subscription: the delivery that waits until the next one has left. */
	const held = new Map<string, string>();
	const stopped = new AbortController();
	let underWay = 0;
	let wakesAt = Infinity;

	/** Sends what is due, up to `concurrency` at once, and is called again when the next is due. */
	function sendDue(): void {
		wakesAt = Infinity;
		if (stopped.signal.aborted) return;
		for (const delivery of deliveries.take(concurrency - underWay)) {
			underWay += 1;
			void attempt(delivery).finally(() => {
				underWay -= 1;
				sendDue();
			});
		}
		const nextAt = deliveries.nextAt();
		if (nextAt !== null && underWay < concurrency) wakeAt(nextAt);
	}

	function wakeAt(time: number): void {
		if (time >= wakesAt) return;
		wakesAt = time;
		platform.later(Math.max(0, time - now()), sendDue);
	}

	async function attempt({ id, webhookId, url, event, body, attempts }: Delivery): Promise<void> {
		if (!isSubscribed(webhookId) || !isAllowed(url)) {
			deliveries.record(id, 'cancelled', attempts, 0);
			return;
		}
		const time = now();
		const headers: Record<string, string> = options.webhookSecret
			? { 'x-livestorm-signature': sign(options.webhookSecret, body, time) }
			: {};
		const outcome = await post(url, body, mediaTypeOf(event), headers, stopped.signal);
		if (stopped.signal.aborted) return;
		const made: Attempt[] = [...attempts, { time, durationMs: now() - time, ...outcome }];
		const next = afterAttempt(outcome, made.length, options.webhookRetryFactor);
		store.transaction(() => {
			if (typeof next === 'object') {
				deliveries.record(id, 'pending', made, now() + next.retryInMs);
			} else {
				deliveries.record(id, next, made, 0);
				if (next === 'failed') disable(webhookId);
			}
		});
	}

	function isSubscribed(webhookId: string): boolean {
		const sql = 'SELECT 1 FROM webhooks WHERE id = ? AND disabled_at = 0';
		return store.get(sql, webhookId) !== undefined;
	}

	/** The option may have changed since the subscription was made. */
	function isAllowed(url: string): boolean {
		return /^https:/i.test(url) || (options.allowHttpWebhooks && /^http:/i.test(url));
	}

	function disable(webhookId: string): void {
		const at = Math.floor(now() / 1000);
		store.write('webhooks', 'UPDATE webhooks SET disabled_at = ? WHERE id = ?', at, webhookId);
		deliveries.cancelOf(webhookId);
	}

	function bodyOf(kind: WebhookKind, record: ApiRecord): unknown {
		// Section 6: job.ended has the same payload as GET /jobs/:id.
		if (kind === 'job.ended' && settings.jobPayload === 'specified') {
			return jobAnswer(options, record);
		}
		const meta = { webhook: { event: kind, organization_id: organizationId } };
		const payload = kind === 'job.ended' ? jobInWords(options, record) : record;
		const body = { data: { ...payload, meta } };
		return inWorld(options, body);
	}

	/** What is not as the contract says is a mistake of the sandbox: it is kept as one and not sent. */
	function isSound(kind: WebhookKind, body: unknown): boolean {
		const check = forms.get(kind)?.check;
		if (check?.(body)) return true;
		platform.violations.push(check ? fault(check, `${kind}:`) : `${kind} is not in the contract`);
		return false;
	}

	function enqueue(
		delivery: Pick<Delivery, 'webhookId' | 'url' | 'event' | 'body'>,
		delayMs = 0,
	): string {
		const id = deliveries.add(delivery, delayMs);
		wakeAt(now() + delayMs);
		return id;
	}

	/** As often, as late and in the order that the traits of this platform decide. */
	function send(delivery: Parameters<typeof enqueue>[0]): void {
		const { times, delayMs, waits } = scheduleOf(options, platform.draw);
		for (let time = 0; time < times; time++) {
			const id = enqueue(delivery, delayMs);
			if (waits) held.set(delivery.webhookId, id);
			else release(held.get(delivery.webhookId));
		}
	}

	function release(id: string | undefined): void {
		if (id === undefined) return;
		deliveries.hasten(id, now() + gapMs);
		wakeAt(now() + gapMs);
	}

	platform.onReset(() => {
		held.clear();
		deliveries.clear();
		settings.jobPayload = 'specified';
	});
	// What a former run left undone.
	const leftOver = deliveries.nextAt();
	if (leftOver !== null) wakeAt(leftOver);

	return {
		announce(kind: WebhookKind, record: ApiRecord): void {
			const sql = 'SELECT id, url FROM webhooks WHERE event = ? AND disabled_at = 0';
			const subscriptions = store.all(sql, kind);
			if (subscriptions.length === 0) return;
			const sent = bodyOf(kind, record);
			if (!isSound(kind, sent)) return;
			const body = JSON.stringify(deliveryInShape(options, sent));
			for (const { id, url } of subscriptions) {
				send({ webhookId: String(id), url: String(url), event: kind, body });
			}
		},
		register(app: FastifyInstance): void {
			addWebhookControlRoutes(app, { deliveries, settings, enqueue, isSubscribed });
			app.addHook('preClose', (done) => {
				stopped.abort();
				done();
			});
		},
	};
}

function mediaTypeOf(kind: string): string {
	return forms.get(kind)?.mediaType ?? 'application/json';
}
