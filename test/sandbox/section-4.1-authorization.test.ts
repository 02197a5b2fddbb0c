import { partnerApp } from './oauthClient';
import { openSandbox, type Visitor } from './visitor';

let visitor: Visitor;
let app: ReturnType<typeof partnerApp>;
beforeAll(async () => {
	visitor = await openSandbox();
	app = partnerApp(visitor.sandbox);
});

test.each([
	['refresh_token', undefined, 400, 'invalid_request'],
	['refresh_token', 'a guess', 400, 'invalid_grant'],
	['client_secret', 'a guess', 401, 'invalid_client'],
])('a refresh with %s %s is refused with %i %s', async (name, value, status, error) => {
	const { data } = await app.exchange(await app.code());
	const answer = await app.refresh(data.refresh_token, { [name]: value });
	expect([answer.status, answer.data.error]).toEqual([status, error]);
});
