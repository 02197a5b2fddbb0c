import * as fc from 'fast-check';
import { keyDigest } from '../../../nodes/EventPlatform/core/webhooks/proof';
import type {
	DeliveryRequest,
	TriggerSettings,
} from '../../../nodes/EventPlatform/core/webhooks/trigger';
import { sign } from '../../../sandbox/webhooks/signature';
import type { FakeAnswers } from '../../support/platform/fakePlatform';
import { key, now, receiver } from '../../support/runs/deliveries';

const secret = 'shared';
const job = () => ({ type: 'jobs', id: 'j1', attributes: { status: 'ended' } });
const notFound = () => 'not_found' as const;
const signature = sign(secret, JSON.stringify(job()), now);
const bySignature = { verify: 'signature', secret } as const;
/** People subscribe by hand, and the credential has a secret. */
const manual = { secret, ownKey: undefined };

/** The settings of a trigger, and the proof that a delivery of a job brings. */
type ProofCase = [string, Partial<TriggerSettings>, Partial<DeliveryRequest>];

/** A trigger that had another key before. */
function rekeyed(settings: Partial<TriggerSettings>, answers: FakeAnswers = job) {
	const receiving = receiver(settings, answers);
	receiving.history.noteSubscription({
		url: '',
		ids: {},
		madeAt: 0,
		seenAt: 0,
		owner: '',
		keyDigest: keyDigest('former'),
	});
	return receiving;
}

describe.each<ProofCase>([
	['our key', {}, { key }],
	['a signature', { secret }, { signature }],
	['a signature, which decides', bySignature, { signature }],
	['a key of theirs and a signature', manual, { key: 'theirs', signature }],
	['nothing, where nobody checks', { verify: 'none', secret }, {}],
])('a delivery that brings %s', (_, settings, proof) => {
	test('starts a run', async () => {
		const { items } = await rekeyed(settings).deliver(job(), proof);
		expect(items).toMatchObject([{ event: 'job.ended', id: 'j1' }]);
	});

	test('costs no request', async () => {
		const { deliver, asked } = rekeyed(settings);
		await deliver(job(), proof);
		expect(asked).toEqual([]);
	});
});

describe.each<ProofCase>([
	['the key of before', {}, { key: 'former' }],
	['our key, where the API decides', { verify: 'api' }, { key }],
])('a delivery that brings %s', (_, settings, proof) => {
	test('starts a run when the platform confirms it', async () => {
		const { items } = await rekeyed(settings).deliver(job(), proof);
		expect(items).toMatchObject([{ event: 'job.ended', id: 'j1' }]);
	});

	test('starts none when the platform does not', async () => {
		const { deliver } = rekeyed(settings, notFound);
		expect(await deliver(job(), proof)).toMatchObject({ status: 401, items: [] });
	});

	test('costs one request, whose answer is waited for ten seconds', async () => {
		const { deliver, asked } = rekeyed(settings);
		await deliver(job(), proof);
		expect(asked).toMatchObject([{ path: '/jobs/j1', deadlineAtMs: now + 10_000 }]);
	});
});

const unsigned = 'The signature is not valid';
const wrongKey = 'The key is not the one of this trigger';

describe.each<[...ProofCase, string]>([
	['an empty key', {}, { key: '' }, wrongKey],
	['two keys, of which each is ours', {}, { key: [key, key] }, wrongKey],
	['our key and a space', {}, { key: `${key} ` }, wrongKey],
	['the digest of the key of before', {}, { key: keyDigest('former') }, wrongKey],
	['another key, whatever else', { secret }, { key: 'another', signature }, wrongKey],
	// The key alone may come out of the log of a proxy.
	['our key without a signature', { secret }, { key }, unsigned],
	['no signature where it decides', bySignature, { key }, unsigned],
	['only a key of theirs', manual, { key: 'theirs' }, unsigned],
])('a delivery that brings %s', (_, settings, proof, reason) => {
	test('is refused as forged', async () => {
		const decided = await rekeyed(settings).deliver(job(), proof);
		expect(decided).toMatchObject({ status: 401, reason, items: [] });
	});

	test('costs no request', async () => {
		const { deliver, asked } = rekeyed(settings);
		await deliver(job(), proof);
		expect(asked).toEqual([]);
	});
});

test('a delivery is to come again where a signature decides and there is no secret', async () => {
	const reason = 'There is no signing secret to check deliveries with';
	const { deliver } = rekeyed({ verify: 'signature' });
	expect(await deliver(job(), { key })).toMatchObject({ status: 503, reason, items: [] });
});

test('the key of before is forged where none is stored', async () => {
	const { deliver } = receiver({}, job);
	expect((await deliver(job(), { key: 'former' })).status).toBe(401);
});

test('nothing but our key or the one of before is taken for one, whatever it is', async () => {
	const { deliver } = rekeyed({});
	await fc.assert(
		fc.asyncProperty(fc.anything(), async (other) => {
			const { status } = await deliver(job(), { key: other ?? '' });
			return status === 401;
		}),
	);
});
