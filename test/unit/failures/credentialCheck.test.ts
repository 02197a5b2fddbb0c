import { problemOfToken } from '../../../nodes/EventPlatform/core/failures/credentialCheck';
import type { Answer, ApiRequest, Lost } from '../../../nodes/EventPlatform/core/http/ports';

const root = 'https://api.example.com/v1';
const status = (code: number, body: unknown = {}): Answer => ({ status: code, headers: {}, body });
const gone: Lost = { lost: 'ECONNREFUSED', sent: false };

/** What answers so with the token, and so without it. */
async function problem(withToken: Answer | Lost, without: Answer | Lost = status(401), at = root) {
	const asked: Array<[ApiRequest, boolean]> = [];
	const send = (request: ApiRequest, hasToken: boolean) => {
		asked.push([request, hasToken]);
		return Promise.resolve(hasToken ? withToken : without);
	};
	return { said: await problemOfToken(at, send, 0), asked };
}

test.each([status(401), status(400), gone])('a token works that is needed: %j', async (without) => {
	const { said, asked } = await problem(status(200), without);
	expect(said).toBeUndefined();
	const ping = { method: 'GET', path: '/ping', once: true };
	expect(asked).toEqual([true, false].map((hasToken) => [ping, hasToken]));
});

test.each([200, 204, 302, 399])(
	'what answers %i without a token is not the platform',
	async (code) => {
		expect((await problem(status(200), status(code))).said).toBe(
			`${root} answers without a token too, so this is not the platform. Enter the root of the platform's API as the 'Base URL', such as https://api.livestorm.co.`,
		);
	},
);

test.each([
	[status(401), `The platform at ${root} does not accept the API token (401). Copy it again`],
	[status(404), `There is no ${root}/ping (404), so this is not the platform`],
	[status(200, '<html>'), `${root} answers with a page and not with JSON, so this is`],
	[status(302, ''), `${root} leads to another address, so this is not the platform`],
	[status(403, { message: 'scope' }), 'The token lacks a scope (403). '],
	[gone, `Nothing answers at ${root}. `],
	[status(500), 'The platform failed to answer properly (500). The cause is on the side of the'],
])('%j is said in words, after one request', async (answer, words) => {
	const { said, asked } = await problem(answer);
	expect(said).toContain(words);
	expect(asked).toHaveLength(1);
});

test('a token that works is warned of where it travels over the internet as everybody can read it', async () => {
	const at = async (address: string) => (await problem(status(200), status(401), address)).said;
	expect(await at('http://api.example.com/v1')).toMatch(/accepts the API token, but .* https:/);
	for (const address of ['http://127.0.0.1:4010/v1', 'http://platform:80/v1', root]) {
		expect(await at(address)).toBeUndefined();
	}
});
