/*
 * What proves that the platform sent a delivery: the key in the URL that we give to the platform alone, a signature, or else the
 * record that the platform shows. Unless people chose 'API' or 'None' under 'Verify', a delivery needs the signature where the credential has a signing
 * secret, also one that has the key.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { parseUrl } from '../client/baseUrl';
import { asFailure, Failure } from '../client/failure';
import { unixMs } from '../dialect/time';
import { lastAttemptMs, parseSignature } from '../dialect/webhooks';
import { deliveryKey } from '../events/eventKey';
import { eventTypeOf, pathOf } from '../events/eventTypes';
import { meaningOf } from '../failures/meaning';
import { readDelivered } from '../records/record';
import { minuteMs, type Ms } from '../values/units';
import {
	askForAttention,
	callForged,
	retryAfterError,
	retryLater,
	type OtherDecision,
} from './decision';
import {
	connectWithin,
	type Arrival,
	type BelievedEvent,
	type DeliveryRequest,
	type Trigger,
	type Trust,
} from './webhookTrigger';
import { digestOf } from '../values/text';

type ProofResult = { kind: 'judged'; trust: Trust } | OtherDecision;

export function judgeProof(
	{ body, signature, key }: DeliveryRequest,
	{ settings, history }: Trigger,
	arrivedAtMs: Ms,
): ProofResult {
	const { verify, credentialError, secret, ownKey } = settings;
	const resultOf = (trust: Trust): ProofResult => ({ kind: 'judged', trust });
	if (verify === 'none') return resultOf('unchecked');
	if (verify === 'api') return resultOf('unproven');
	if (credentialError !== undefined) return retryAfterError(credentialError);
	// Where we gave the platform no key, a key in a URL that people entered by hand proves nothing.
	const trustByKey =
		ownKey === undefined
			? 'unproven'
			: judgeKey(key, ownKey, history.subscriptionMemory.ongoing?.keyDigest);
	// Also with a valid signature, which proves the platform and not this trigger: the URL may have webhooks that somebody else made.
	if (trustByKey === 'forged') return callForged('The key is not the one of this trigger');
	if (secret !== undefined) {
		const result = judgeSignature(signature, body, secret, arrivedAtMs);
		if (result === 'valid') return resultOf('signed');
		return refusedSignatures[result === 'invalid' && trustByKey === 'keyed' ? 'unlikeKey' : result];
	}
	if (verify === 'signature') {
		return retryLater('There is no signing secret to check deliveries with');
	}
	return resultOf(trustByKey);
}

export async function confirm(
	arrival: Arrival,
	trigger: Trigger,
): Promise<BelievedEvent | OtherDecision> {
	const { eventType, record: sentRecord } = arrival.delivery;
	const path = pathOf(arrival.delivery);
	const { type = '' } = eventTypeOf(eventType);
	if (path === undefined) return askForProof('shows no record of this type');
	const { ask } = await connectWithin(arrival, trigger);
	const response = await ask({ method: 'GET', path }).catch(asFailure);
	if (response instanceof Failure) {
		if (!meaningOf(response).isIdUnknown) return retryLater(response.message);
		// Section 4.3 names the path of a job alone. Of others the platform may show none, or may have shown one that is gone.
		return type === 'jobs'
			? callForged(response.message)
			: askForProof(`does not show the ${type} that it is about`);
	}
	const record = readDelivered(response.body);
	if (record === undefined) return retryLater(`${path} did not answer with a record`);
	if (record.id !== sentRecord.id || eventTypeOf(eventType).isConfirmedBy?.(record) === false) {
		return callForged(`${path} does not confirm it`);
	}
	const delivery = { eventType, record: { ...record, type: record.type || sentRecord.type } };
	// The delivery may be a variation of an event that came before, as the key of the record that the platform shows tells.
	const eventKeys = [arrival.eventKey, deliveryKey(delivery)];
	return { kind: 'believed', delivery, isConfirmed: true, eventKeys };
}

/** What people can choose so that deliveries are believed without the API. */
const howToProve =
	"choose 'Automatic' under 'Verify' and either 'Automatic' under 'Subscription' or a 'Webhook Signing Secret' in the credential, or choose 'None' under 'Verify' to accept any request";

/** Ignores a delivery of which nobody can tell whether it is genuine. An error would make the platform give up a subscription that works. */
function askForProof(shortcoming: string): OtherDecision {
	const reason = `The platform's API ${shortcoming}, so nothing proves it. If no such delivery starts a run, ${howToProve}`;
	return askForAttention(reason);
}

/** Clocks may differ by five minutes, as the signatures of Stripe and Slack allow. */
const mostAheadMs = 5 * minuteMs;

/**
 * A signature may be no older than this. The last attempt may not be signed anew, clocks may differ, and a delivery may be 3 minutes
 * under way. Replaying a recorded delivery in that time gains nothing as long as repeated
 * events are left out: the last 10,000 are recognised, and the last 5,000 after a start.
 */
const mostAgeMs = lastAttemptMs + mostAheadMs + 3 * minuteMs;

type RefusedSignature = 'invalid' | 'untimely';

const refusedSignatures: Readonly<Record<RefusedSignature | 'unlikeKey', OtherDecision>> = {
	invalid: callForged('The signature is not valid'),
	// The key may come from the log of a proxy, but a secret that is mistyped refuses all deliveries.
	unlikeKey: {
		...callForged(
			"The key in the URL is right, but the signature is not. If that is so with every delivery, correct the 'Webhook Signing Secret' in the credential, or leave it empty",
		),
		needsAttention: true,
	},
	// Somebody who has recorded a delivery may send it again, but a clock that is wrong refuses all of them.
	untimely: {
		...callForged(
			'The signature is right, but its time is not. It is more than half an hour ago, or five minutes ahead. If that is so with every delivery, set the clock of the machine on which n8n runs',
		),
		needsAttention: true,
	},
};

/** The digest is the SHA-256 of the Unix time of the header, the secret and the body. */
export function judgeSignature(
	header: unknown,
	body: Uint8Array,
	secret: string,
	nowMs: Ms,
): 'valid' | RefusedSignature {
	const signature = parseSignature(header);
	if (secret === '' || !signature) return 'invalid';
	const { time, digest } = signature;
	const expected = createHash('sha256').update(time).update(secret).update(body).digest();
	if (!timingSafeEqual(expected, Buffer.from(digest, 'hex'))) return 'invalid';
	const ageMs = nowMs - unixMs(Number(time));
	return ageMs > mostAgeMs || ageMs < -mostAheadMs ? 'untimely' : 'valid';
}

/**
 * Makes the key of a trigger. It has 256 bits, and is the same in every process of an n8n and after every restart. The test URL has the
 * same origin and webhook id, and so the same key; a copy of the workflow with the same URL has another key, because of its own id.
 */
export function subscriptionKey(
	secret: string,
	{ url, workflowId, webhookId }: Record<'url' | 'workflowId' | 'webhookId', string>,
): string {
	const identity = JSON.stringify([parseUrl(url)?.origin ?? url, webhookId, workflowId]);
	return createHmac('sha256', secret).update(identity).digest('base64url');
}

export function withKey({ url, key }: { url: string; key?: string }): string {
	return key === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}key=${key}`;
}

export function withoutKey(url: string): string {
	return url.replace(/([?&]key=)[^&#]*/g, '$1…');
}

/** The digest may be stored: it recognises the key, and does not give it away. */
export function keyDigest(key: string): string {
	return digestOf(key);
}

/**
 * What the key in the query of a delivery proves. `outdatedDigest`: the digest of the key with which the webhooks were made. From
 * before the credential's secret changed, such a key proves as little as none, and is no forgery.
 */
function judgeKey(
	queryKey: unknown,
	key: string,
	outdatedDigest = '',
): Extract<Trust, 'keyed' | 'unproven'> | 'forged' {
	if (queryKey === undefined) return 'unproven';
	if (typeof queryKey !== 'string') return 'forged';
	if (isEqualInConstantTime(queryKey, key)) return 'keyed';
	return isOfDigest(queryKey, outdatedDigest) ? 'unproven' : 'forged';
}

/** Whether a delivery has the key with this digest: that with which our webhooks were made, which no stranger knows. */
export function isOfDigest(queryKey: unknown, digest = ''): boolean {
	return typeof queryKey === 'string' && isEqualInConstantTime(keyDigest(queryKey), digest);
}

/** Digests are compared, because all have the same length and the time to compare them tells nothing of the texts. */
function isEqualInConstantTime(first: string, second: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(first), digest(second));
}
