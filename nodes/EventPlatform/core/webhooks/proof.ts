import type { DeliveryRequest, Proof } from './arrival';
import { callForged, retryLater, type OtherDecision } from './decision';
import { isSignedWith } from './signature';
import { judgeKey } from './subscriptionKey';
import type { Trigger } from './trigger';

/** The proof that a delivery brings itself, or the decision where it proves the contrary. */
type ProofResult = { kind: 'judged'; proof: Proof } | OtherDecision;

/** Judges what proves that the platform sent a delivery, or that somebody else did. */
export function judgeProof(
	{ body, signature, key }: DeliveryRequest,
	{ settings, history }: Trigger,
	arrivedAt: number,
): ProofResult {
	const { verify, secret, ownKey } = settings;
	const resultOf = (proof: Proof): ProofResult => ({ kind: 'judged', proof });
	if (verify === 'api' || verify === 'none') return resultOf('none');
	// Where we gave the platform no key, a key in a URL that people entered by hand proves nothing.
	const keyKind =
		ownKey === undefined ? 'none' : judgeKey(key, ownKey, history.subscription?.keyDigest);
	if (keyKind === 'foreign') return callForged('The key is not the one of this trigger');
	if (secret !== undefined) {
		return isSignedWith(signature, body, secret, arrivedAt)
			? resultOf('signature')
			: callForged('The signature is not valid');
	}
	if (verify === 'signature') {
		return retryLater('There is no signing secret to check deliveries with');
	}
	return resultOf(keyKind === 'own' ? 'key' : 'none');
}
