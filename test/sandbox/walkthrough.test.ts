import { until } from '../support/sandbox';
import { createHash } from 'node:crypto';
import { press, visit } from './browser';
import { partnerApp, pkce, type Token } from './oauthClient';
import { openReceiver } from '../support/receiver';
import {
	closeAfterwards,
	crowd,
	finishedJob,
	type One,
	openSandbox,
	type Page,
	type TaskResult,
	type Visitor,
} from './visitor';

// Waits for real time to pass, on a machine that may be busy.
jest.setTimeout(30_000);

const proofs = {
	S256: ({ challenge }: Proof) => ({ code_challenge: challenge, code_challenge_method: 'S256' }),
	plain: ({ verifier }: Proof) => ({ code_challenge: verifier, code_challenge_method: 'plain' }),
	none: () => ({}),
};
type Proof = ReturnType<typeof pkce>;

test.each(Object.entries(proofs))(
	'a user allows, the app gets its token and works with it: PKCE %s',
	async (method, ask) => {
		const { sandbox, as } = await openSandbox();
		const app = partnerApp(sandbox);
		const proof = pkce();

		const page = await visit(app.authorizeUrl({ state: 'opaque', ...ask(proof) }));
		const { sentTo } = await press(page, 'allow');
		expect(sentTo?.searchParams.get('state')).toBe('opaque');
		const code = sentTo?.searchParams.get('code') ?? '';

		const code_verifier = method === 'none' ? undefined : proof.verifier;
		const { status, data: token } = await app.exchange(code, { code_verifier });
		expect(status).toBe(200);

		const { data } = await as(`Bearer ${token.access_token}`).get<Page>('/v1/events');
		expect(data.data).not.toHaveLength(0);
	},
);

test('a token expires, is refreshed, and with rotation the old one is worth nothing', async () => {
	const { sandbox, as } = await openSandbox({ tokenTtl: 1, rotateRefresh: true });
	const app = partnerApp(sandbox);
	const works = async ({ access_token }: Token) =>
		(await as(`Bearer ${access_token}`).get('/v1/events')).status === 200;

	const { data: first } = await app.exchange(await app.code());
	expect(await works(first)).toBe(true);
	await until(async () => !(await works(first)));

	const { data: second } = await app.refresh(first.refresh_token);
	expect(await works(second)).toBe(true);
	expect((await app.refresh(first.refresh_token)).data.error).toBe('invalid_grant');
});

describe('with a session and its people', () => {
	let visitor: Visitor;
	let sessionId: string;
	beforeAll(async () => {
		visitor = await openSandbox({ seedPeople: 230, webhookSecret: 'a shared secret' });
		sessionId = await visitor.sessionId();
	});

	test.each([20, 50])('a list is read to its end in pages of %i', async (size) => {
		const ids: string[] = [];
		let last: Page | undefined;
		for (let page: number | null = 0; page !== null; page = last.meta.next_page) {
			const params: object = { 'page[number]': page, 'page[size]': size };
			last = (await visitor.api.get<Page>('/v1/people', { params })).data;
			expect(last.meta.previous_page).toBe(page === 0 ? null : page - 1);
			ids.push(...last.data.map(({ id }) => id));
		}
		expect(ids.length).toBeGreaterThan(200);
		expect(new Set(ids).size).toBe(last?.meta.record_count);
	});

	test.each([
		['ended', crowd(50, 'walk')],
		['failed', [...crowd(49, 'walk-again'), { email: 'no address' }]],
	])('50 people are registered by a job that has %s', async (status, people) => {
		const job = await finishedJob(visitor.api, sessionId, people);
		expect(job.attributes).toMatchObject({ status, total_processed_items: 50 });
		const { data } = await visitor.api.get<Page<TaskResult>>(`/v1/jobs/${job.id}/tasks`, {
			params: { 'page[size]': 50 },
		});
		const failed = data.data.filter((result) => result.status === 'failed');
		expect(failed).toHaveLength(status === 'failed' ? 1 : 0);
		const first = data.data[0]?.data;
		const path = `/v1/sessions/${sessionId}/people/${first?.id}`;
		expect((await visitor.api.get<One>(path)).data.data).toEqual(first);
	});

	test('a signed webhook is sent again on schedule, then its subscription is disabled', async () => {
		const receiver = await openReceiver(() => 500);
		closeAfterwards(receiver.close);
		await visitor.api.post('/v1/webhooks', {
			data: { type: 'webhooks', attributes: { url: receiver.url, event: 'job.ended' } },
		});
		const job = await finishedJob(visitor.api, sessionId, crowd(1, 'hook'));
		const subscriptions = async () =>
			(await visitor.api.get<Page>('/v1/webhooks')).data.meta.record_count;
		await until(async () => (await subscriptions()) === 0);

		expect(receiver.deliveries).toHaveLength(6);
		for (const { headers, raw, body } of receiver.deliveries) {
			const [seconds = '', hash] = String(headers['x-livestorm-signature']).split(',');
			const expected = createHash('sha256').update(`${seconds}a shared secret${raw}`);
			expect(hash).toBe(expected.digest('hex'));
			expect(body).toEqual(job);
		}
		// Thousandths of 30 s, 1 m, 2.5 m, 6 m and 12 m: never sooner.
		const waits = receiver.deliveries.slice(1).map(({ at }, nth) => {
			const before = receiver.deliveries[nth]?.at ?? 0;
			return at - before;
		});
		const schedule = [30, 60, 150, 360, 720];
		schedule.forEach((ms, nth) => expect(waits[nth]).toBeGreaterThanOrEqual(ms - 2));
	});
});
