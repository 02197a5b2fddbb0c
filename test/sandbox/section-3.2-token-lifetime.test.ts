import { until } from '../support/sandbox';
import { partnerApp } from './oauthClient';
import { detailOf, openSandbox } from './visitor';

test('an access token works until its time is over, and a refresh brings a new one', async () => {
	const visitor = await openSandbox({ tokenTtl: 1 });
	const app = partnerApp(visitor.sandbox);
	const { data: token } = await app.exchange(await app.code());
	expect(token.expires_in).toBe(1);
	const api = visitor.as(`Bearer ${token.access_token}`);
	await until(async () => (await api.get('/v1/events')).status === 401);
	expect(Date.now() / 1000).toBeGreaterThanOrEqual(token.created_at + token.expires_in);
	expect(detailOf(await api.get('/v1/events'))).toMatch(/expired/);

	const { data: next } = await app.refresh(token.refresh_token);
	expect((await visitor.as(`Bearer ${next.access_token}`).get('/v1/events')).status).toBe(200);
});
