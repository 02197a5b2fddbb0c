import { problemOfToken } from '../../../nodes/EventPlatform/core/failures/credentialCheck';
import type {
	ApiResponse,
	ApiRequest,
	LostConnection,
} from '../../../nodes/EventPlatform/core/client/request';

const root = 'https://api.example.com/v1';

const status = (code: number, body: unknown = {}): ApiResponse => ({
	status: code,
	headers: {},
	body,
});

const says = (code: number, detail: string) => status(code, { errors: [{ detail }] });
const list = status(200, { data: [], meta: {} });
const gone: LostConnection = { lost: 'ECONNREFUSED', sent: false };

type Said = ApiResponse | LostConnection;

/** The answers of a server with the token and without it. `otherPaths` has those with it to other lists than the events. */
interface Server {
	withToken: Said;
	without?: Said;
	otherPaths?: Record<string, Said>;
	at?: string;
}

async function problem({ withToken, without = status(401), otherPaths = {}, at = root }: Server) {
	const asked: string[] = [];
	const send = ({ method, path, query, retry }: ApiRequest, hasToken: boolean) => {
		expect({ method, query, retry }).toEqual({
			method: 'GET',
			query: { 'page[size]': 1 },
			retry: 'never',
		});
		asked.push(`${path} ${hasToken ? 'with' : 'without'}`);
		return Promise.resolve(hasToken ? (otherPaths[path] ?? withToken) : without);
	};
	return { said: await problemOfToken(at, send, 0), asked };
}

test.each([status(401), status(400), gone])('a token works that is needed: %j', async (without) => {
	const { said, asked } = await problem({ withToken: list, without });
	expect(said).toBeUndefined();
	expect(asked).toEqual(['/events with', '/events without']);
});

test.each([status(400), says(400, 'Page 0 does not exist'), status(400, 'No such page')])(
	'a token works where there is no event, and a page of nothing is refused: %j',
	async (withToken) => {
		expect((await problem({ withToken })).said).toBeUndefined();
	},
);

test('a server that answers 400 to everybody is not the platform', async () => {
	const { said } = await problem({ withToken: status(400), without: status(400) });
	expect(said).toContain('answers without a token too, so this is not the platform');
});

test.each([status(403), says(403, 'Insufficient scope'), says(401, 'Insufficient scope')])(
	'a token for webhooks alone works: %j',
	async (withToken) => {
		const { said, asked } = await problem({ withToken, otherPaths: { '/webhooks': list } });
		expect(said).toBeUndefined();
		expect(asked).toEqual(['/events with', '/webhooks with', '/webhooks without']);
	},
);

test.each([200, 204, 302, 399])(
	'what answers %i without a token is not the platform',
	async (code) => {
		expect((await problem({ withToken: list, without: status(code) })).said).toBe(
			`${root} answers without a token too, so this is not the platform. Enter the root of the platform's API as the 'Base URL', such as https://api.livestorm.co.`,
		);
	},
);

test.each<[Said, string, number]>([
	[status(401), `The platform at ${root} does not accept the API token (401). Copy it again`, 1],
	[status(404), `There is no ${root}/events (404), so this is not the platform`, 1],
	[status(200, '<html>'), `${root} answers with a page and not with JSON, so this is`, 1],
	[status(200), `${root} answers with something else than a list, so this is not the`, 1],
	[status(204, ''), `${root} answers with something else than a list, so this is not the`, 1],
	[status(302, ''), `${root} leads to another address, so this is not the platform`, 1],
	[status(403, { message: 'scope' }), 'The token lacks the scope events:read (403). ', 3],
	[status(403), 'The platform refused access (403). ', 3],
	[says(403, 'blocked'), 'The workspace is blocked (403). ', 1],
	[says(400, 'Unknown parameter page[size]'), 'The platform said: Unknown parameter page[size]', 1],
	[gone, `Nothing answers at ${root}. `, 1],
	[
		status(500),
		'The platform answered with a server error (500). The cause is on the side of the',
		1,
	],
])('%j is said in words: "%s", after %i requests', async (withToken, words, requests) => {
	const { said, asked } = await problem({ withToken });
	expect(said).toContain(words);
	expect(asked).toHaveLength(requests);
});

test('a token that works is warned of where it travels over the internet as everybody can read it', async () => {
	const at = async (address: string) => (await problem({ withToken: list, at: address })).said;
	expect(await at('http://api.example.com/v1')).toMatch(/accepts the API token, but .* https:/);
	for (const address of ['http://127.0.0.1:4010/v1', 'http://platform:80/v1', root]) {
		expect(await at(address)).toBeUndefined();
	}
});
