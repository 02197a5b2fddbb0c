import { callForged, retryLater, type OtherDecision } from './decision';
import { isGenuine } from './signature';
import { judgeKey } from './subscriptionKey';
import type { Proof, Trigger } from './trigger';

/** An HTTP request that says it is a delivery of the platform. */
export interface DeliveryRequest {
	body: Uint8Array;
	/** The header with the signature. */
	signature: unknown;
	/** The `key` in the query. */
	key: unknown;
	/** The `event` in the query. */
	event?: unknown;
}

/** The proof that a delivery brings itself, or the decision where it proves the contrary. */
type ProofResult = { kind: 'judged'; proof: Proof } | { kind: 'decided'; decision: OtherDecision };

/** Judges what proves that the platform sent a delivery, or that somebody else did. */
export function judgeProof(
	{ body, signature, key }: DeliveryRequest,
	{ verify, secret, ownKey, history }: Trigger,
	arrivedAt: number,
): ProofResult {
	const judged = (proof: Proof): ProofResult => ({ kind: 'judged', proof });
	const decided = (decision: OtherDecision): ProofResult => ({ kind: 'decided', decision });
	if (verify === 'api' || verify === 'none') return judged('none');
	// Where we gave the platform no key, a key in a URL that people entered by hand proves nothing.
	const keyKind =
		ownKey === undefined ? 'none' : judgeKey(key, ownKey, history.subscription?.keyDigest);
	if (keyKind === 'foreign') return decided(callForged('The key is not the one of this trigger'));
	if (secret !== undefined) {
		return isGenuine(signature, body, secret, arrivedAt)
			? judged('signature')
			: decided(callForged('The signature is not valid'));
	}
	if (verify === 'signature') {
		return decided(retryLater('There is no signing secret to check deliveries with'));
	}
	return judged(keyKind === 'own' ? 'key' : 'none');
}
