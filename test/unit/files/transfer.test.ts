import {
	transfer,
	type FileResponse,
	type FileToGet,
} from '../../../nodes/EventPlatform/core/files/transfer';
import { DownloadFailed } from '../../../nodes/EventPlatform/core/files/downloadFailed';
import type { NoResponse } from '../../../nodes/EventPlatform/core/client/request';
import { Cancelled } from '../../../nodes/EventPlatform/core/client/clock';
import { VirtualClock } from '../../support/time/virtualClock';

const link = 'https://files.example.com/a?signature=1';
const content = 'The bytes of a file.';

type Chunk = string | Error | (() => Promise<void> | void);

interface Scripted {
	status?: number;
	headers?: Record<string, string>;
	/** Texts that arrive, a break, or something to wait for. */
	chunks?: Chunk[];
}

/** A host of files that gives these answers one after the other, then the last one again and again. */
function host(answers: Array<Scripted | NoResponse | Error>, more: Partial<FileToGet> = {}) {
	const clock = new VirtualClock();
	const abort = new AbortController();
	const asked: Array<{ url: string; headers: Record<string, string>; at: number }> = [];
	const bodies: Array<{ isDestroyed: boolean }> = [];
	const began = clock.now();

	function open(url: URL, headers: Record<string, string>): Promise<FileResponse | NoResponse> {
		asked.push({ url: url.href, headers, at: clock.now() - began });
		const answer = answers[Math.min(asked.length, answers.length) - 1] ?? {};
		if (answer instanceof Error) return Promise.reject(answer);
		if ('networkError' in answer) return Promise.resolve(answer);
		const { status = 200, headers: said = {}, chunks = [content] } = answer;
		const body = bodyOf(chunks);
		bodies.push(body);
		return Promise.resolve({ status, headers: said, body });
	}

	const file: FileToGet = { link, ...more };
	const parts = { open, clock, signal: abort.signal };
	async function read(use = () => Promise.resolve()): Promise<string> {
		let received = '';
		for await (const bytes of transfer(file, parts)) {
			if (bytes.length === 0) throw new Error('An empty chunk');
			received += new TextDecoder().decode(bytes);
			await use();
		}
		return received;
	}
	const elapsed = () => clock.now() - began;
	const get = () => clock.run(read());
	return { file, parts, asked, bodies, clock, abort, elapsed, read, get };
}

function bodyOf(chunks: Chunk[]): FileResponse['body'] & { isDestroyed: boolean } {
	let end = () => {};
	const destroyed = new Promise<void>((resolve) => (end = resolve));
	const body = {
		isDestroyed: false,
		destroy() {
			body.isDestroyed = true;
			end();
		},
		async *[Symbol.asyncIterator]() {
			for (const chunk of chunks) {
				if (chunk instanceof Error) throw chunk;
				if (typeof chunk === 'string') yield new TextEncoder().encode(chunk);
				else await Promise.race([chunk(), destroyed]);
				if (body.isDestroyed) throw new Error('destroyed');
			}
		},
	};
	return body;
}

const lost = (code: string) => ({ networkError: code, isSent: false });
const reset = lost('ECONNRESET');
const broken = Object.assign(new Error(`read ECONNRESET ${link}`), { code: 'ECONNRESET' });
const never = () => new Promise<void>(() => {});

const partial = (start: number, more: Record<string, string> = {}) => ({
	status: 206,
	headers: { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}`, ...more },
	chunks: [content.slice(start)],
});

const begun = { headers: { etag: '"1"' }, chunks: ['The', broken] };
const cut = {
	headers: { 'content-length': String(content.length), etag: '"1"' },
	chunks: ['The', broken],
};
/** The beginning of a file, of which the host says nothing. */
const untold = { chunks: ['The by', broken] };

function ofDate(modified: string): Scripted {
	return { headers: { 'last-modified': modified }, chunks: ['The', broken] };
}

test('a file comes whole, uncompressed and with one request', async () => {
	const { get, asked, bodies, elapsed } = host([{ chunks: ['The bytes', '', ' of a file.'] }]);
	expect(await get()).toBe(content);
	expect(asked).toEqual([{ url: link, headers: { 'Accept-Encoding': 'identity' }, at: 0 }]);
	expect(bodies).toMatchObject([{ isDestroyed: true }]);
	expect(elapsed()).toBeLessThanOrEqual(250);
});

test('a user and a password in the link go nowhere', async () => {
	const { get, asked } = host([{}], { link: 'https://ada:secret@files.example.com/a' });
	await get();
	expect(asked).toMatchObject([{ url: 'https://files.example.com/a' }]);
});

test.each([
	['', 'is not a URL', 'The platform gave no usable link.'],
	['ftp://x.example/a', 'starts with ftp://', 'Only http:// and https:// are followed.'],
])('of "%s" it is said why it is not followed: it %s', async (wrong, fact, description) => {
	const { get, asked } = host([{}], { link: wrong });
	const message = `The link to the file ${fact}`;
	await expect(get()).rejects.toMatchObject({ name: 'DownloadFailed', message, description });
	expect(asked).toEqual([]);
});

describe('a transfer that breaks', () => {
	test.each<[string, Scripted[]]>([
		['of the same version', [begun, partial(3, { etag: '"1"' })]],
		['of the same date', [ofDate('A'), partial(3, { 'last-modified': 'A' })]],
		['far on', [{ ...cut, chunks: ['The bytes of', broken] }, partial(12)]],
		['whose version is not told again', [begun, partial(3)]],
		['of a host without ranges', [begun, { headers: { etag: '"1"' } }]],
		[
			'whose size is not told',
			[begun, partial(3, { 'content-range': 'bytes 3-19/*', etag: '"1"' })],
		],
	])('gives each byte once of a file %s', async (_, answers) => {
		expect(await host(answers).get()).toBe(content);
	});

	test('is complete where it breaks after the last byte of a file whose size the platform has told', async () => {
		const { get, asked } = host([{ headers: { etag: '"1"' }, chunks: [content, broken] }], {
			size: content.length,
		});
		expect(await get()).toBe(content);
		expect(asked).toHaveLength(1);
	});

	test.each<[string, Scripted, object]>([
		['tag', begun, { 'If-Range': '"1"' }],
		['date', ofDate('A'), { 'If-Range': 'A' }],
		[
			'date where the tag promises not the same bytes',
			{ ...begun, headers: { etag: 'W/"1"', 'last-modified': 'A' } },
			{ 'If-Range': 'A' },
		],
	])('is asked for the rest of the version that has this %s', async (_, beginning, condition) => {
		const { get, asked } = host([beginning, partial(3)]);
		expect(await get()).toBe(content);
		expect(asked[1]?.headers).toMatchObject({ Range: 'bytes=3-', ...condition });
	});

	test('is not asked for again where the rest could be of another version', async () => {
		const { get, asked } = host([untold, partial(6)]);
		await expect(get()).rejects.toThrow('The download of the file broke off once');
		expect(asked).toHaveLength(1);
	});

	test('is tried again after half a second, then twice as long each time, ten times in all', async () => {
		const { get, asked } = host([reset]);
		const failure = await get().catch((error: DownloadFailed) => error);
		expect(failure).toMatchObject({
			message: 'The download of the file broke off 11 times',
			description:
				'0 of an unknown number of bytes had arrived. The network said: ECONNRESET. Try again later.',
		});
		const waits = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0));
		expect(waits).toEqual([500, 1_000, 2_000, 4_000, ...Array<number>(6).fill(8_000)]);
		expect(String(failure)).not.toContain('signature');
	});

	test('counts anew after a connection that has brought a megabyte', async () => {
		const headers = { etag: '"1"' };
		const rest = { ...headers, 'content-range': 'bytes 1000000-1000002/1000003' };
		const { get } = host([
			...Array<NoResponse>(10).fill(reset),
			{ headers, chunks: ['x'.repeat(1_000_000), broken] },
			{ status: 206, headers: rest, chunks: ['end'] },
		]);
		expect((await get()).length).toBe(1_000_003);
	});

	test.each<[string, Scripted | NoResponse, string, string]>([
		[
			'the network',
			reset,
			'The download of the file broke off 11 times',
			'The network said: ECONNRESET.',
		],
		[
			'nobody',
			lost('no answer'),
			'The download of the file broke off 11 times',
			'The network said: no answer.',
		],
		[
			'a refusal',
			lost('ECONNREFUSED'),
			'Nothing answers at https://files.example.com',
			'The network said: ECONNREFUSED.',
		],
		[
			'a name',
			lost('ENOTFOUND'),
			'The host of https://files.example.com is not known',
			'The network said: ENOTFOUND.',
		],
		[
			'the host',
			{ status: 503 },
			'The download of the file broke off 11 times',
			'The host answered with 503.',
		],
		[
			'a break',
			{ status: 206, headers: { 'content-range': 'bytes 3-19/20' }, chunks: [broken] },
			'The download of the file broke off 11 times',
			'The network said: ECONNRESET.',
		],
		[
			'silence',
			{ status: 206, headers: { 'content-range': 'bytes 3-19/20' }, chunks: [never] },
			'The download of the file broke off 11 times',
			'No byte arrived for a minute.',
		],
	])('says how far it came, and that %s kept away the rest', async (_, answer, message, said) => {
		await expect(host([cut, answer]).get()).rejects.toMatchObject({
			message,
			description: `3 of 20 bytes had arrived. ${said} Try again later.`,
		});
	});

	test.each([
		['ENOTFOUND', 'The host of https://files.example.com is not known'],
		['ERR_SSL_WRONG_VERSION_NUMBER', 'There is no HTTPS at https://files.example.com'],
		['CERT_HAS_EXPIRED', 'The certificate of https://files.example.com is not trusted'],
	])('before it has begun because of %s is not tried again', async (code, message) => {
		const { get, asked } = host([lost(code)]);
		const description =
			'The link of the recording leads there. Check whether this n8n may connect to it.';
		await expect(get()).rejects.toMatchObject({ message, description });
		expect(asked).toHaveLength(1);
	});

	test('because a name is not found for the moment is tried again', async () => {
		expect(await host([lost('EAI_AGAIN'), {}]).get()).toBe(content);
	});

	test.each([429, 500])('with %i is asked for again', async (status) => {
		const { get, asked, bodies } = host([{ status }, {}]);
		expect(await get()).toBe(content);
		expect(asked.map(({ url }) => url)).toEqual([link, link]);
		expect(bodies[0]).toMatchObject({ isDestroyed: true });
	});

	test('and is answered with 500 then is asked for once more', async () => {
		const { get, asked } = host([cut, { status: 500 }, partial(3)]);
		expect(await get()).toBe(content);
		expect(asked[2]?.headers.Range).toBe('bytes=3-');
	});

	test('by a cancelled run, or because of what was found out, is not asked for again', async () => {
		for (const error of [new Cancelled(), new DownloadFailed('No', 'No.')]) {
			for (const answers of [[error], [{ chunks: ['The', error] }]]) {
				const { get, asked } = host(answers);
				await expect(get()).rejects.toBe(error);
				expect(asked).toHaveLength(1);
			}
		}
	});
});

describe('a connection without a byte', () => {
	test('is given up after a minute', async () => {
		const { get, asked } = host([{ ...cut, chunks: ['The', never] }, partial(3)]);
		expect(await get()).toBe(content);
		expect(asked[1]?.at).toBeGreaterThan(60_000);
		expect(asked[1]?.at).toBeLessThan(62_000);
	});

	test('is not one where the reader takes its time', async () => {
		const { read, clock, asked } = host([{ chunks: ['The bytes', ' of a file.'] }]);
		expect(await clock.run(read(() => clock.sleep(300_000)))).toBe(content);
		expect(asked).toHaveLength(1);
	});
});

interface ErrorTexts {
	message: string;
	description: string;
}

const changed: ErrorTexts = {
	message: 'The file changed while it was being downloaded',
	description: 'Run the node again to get the new one.',
};

const refused = (status: number): ErrorTexts => ({
	message: `The host of the file refused it (${status})`,
	description:
		'The link may be over: run the node again, which gets a new one. If that fails too, the recording may be gone.',
});

const wrong = (actual: number, said: string): ErrorTexts => ({
	message: `The file has ${actual} bytes where the platform says ${said}`,
	description: 'The platform may still be processing it, or may have replaced it. Try again later.',
});

const tooLarge = (size = '0.01'): ErrorTexts => ({
	message: `The file is larger than ${size} MB`,
	description: "Raise 'Max File Size (MB)' in the options to download it.",
});

const long = 'x'.repeat(6_000);
const mostBytes = 10_000;

const ofLength = (bytes: number, ...chunks: Chunk[]): Scripted => ({
	headers: { 'content-length': String(bytes) },
	chunks,
});

const from = (range: string) => partial(3, { 'content-range': range, etag: '"1"' });

const compressed: ErrorTexts = {
	message: 'The host sent the file compressed, although the node did not ask for that',
	description: 'Its bytes could not be counted. A proxy in between may have compressed it.',
};

const shorter = { etag: '"1"', 'content-length': '19' };

/** `file`: the facts that are known of it. */
type FailedTransfer = [
	what: string,
	responses: Scripted[],
	requests: number,
	error: ErrorTexts,
	file?: Partial<FileToGet>,
];

test.each<FailedTransfer>([
	['a part that nobody asked for', [{ status: 206 }], 1, refused(206)],
	['a refusal', [{ status: 418 }], 1, refused(418)],
	['another version', [begun, { headers: {} }], 2, changed],
	['bytes from before', [begun, from('bytes 0-19/20')], 2, changed],
	['another size later', [cut, from('bytes 3-20/21')], 2, wrong(21, '20'), { size: 20 }],
	['another size than first', [{ ...begun, headers: shorter }, partial(3)], 2, wrong(20, '19')],
	['an early end', [{}], 1, wrong(20, '21'), { size: 21 }],
	['no end', [{ chunks: ['The', never] }], 1, wrong(3, '2'), { size: 2 }],
	['too large by its record', [{}], 0, tooLarge(), { size: 10_001, mostBytes }],
	['too large by its host', [ofLength(10_001, never)], 1, tooLarge(), { mostBytes }],
	['too large by what comes', [{ chunks: [long, long, never] }], 1, tooLarge(), { mostBytes }],
	['more than five gigabytes', [ofLength(5_000_000_001)], 1, tooLarge('5,000')],
	[
		'compressed, which nobody asked for',
		[{ headers: { 'content-encoding': 'zstd' } }],
		1,
		compressed,
	],
])('%s is an error', async (_, responses, requests, error, file = {}) => {
	const { get, asked, bodies } = host(responses, file);
	await expect(get()).rejects.toMatchObject({ name: 'DownloadFailed', ...error });
	expect(asked).toHaveLength(requests);
	expect(bodies.every(({ isDestroyed }) => isDestroyed)).toBe(true);
});

/** A chunk that says how long it is, and has no bytes that would have to be read. */
class HalfGigabyte extends Uint8Array {
	override get length() {
		return 500_000_000;
	}
	override subarray() {
		return this;
	}
}

describe('a file whose size nobody has told', () => {
	const receive = async (chunkCount: number, limits: Partial<FileToGet> = {}) => {
		const { file, parts, clock } = host([], limits);
		async function* body() {
			for (let sent = 0; sent < chunkCount; sent++) {
				yield await Promise.resolve(new HalfGigabyte());
			}
		}
		const open = () =>
			Promise.resolve({ status: 200, headers: {}, body: Object.assign(body(), { destroy() {} }) });
		const count = async () => {
			let chunks = 0;
			for await (const chunk of transfer(file, { ...parts, open }))
				chunks += Number(chunk.length > 0);
			return chunks;
		};
		return await clock.run(count());
	};

	test('may have five gigabytes', async () => {
		expect(await receive(10)).toBe(10);
	});

	test('is refused where it is larger', async () => {
		await expect(receive(11)).rejects.toMatchObject(tooLarge('5,000'));
	});

	test('may be as large as people allow', async () => {
		expect(await receive(11, { mostBytes: 5_500_000_000 })).toBe(11);
	});
});

test('a run that nothing can cancel gets the file', async () => {
	const { file, parts, clock } = host([{}]);
	const uncancellable = { ...parts, signal: undefined };
	const pieces: Uint8Array[] = [];
	const readAll = async () => {
		for await (const piece of transfer(file, uncancellable)) pieces.push(piece);
	};
	await clock.run(readAll());
	expect(Buffer.concat(pieces).toString()).toBe(content);
});

describe('a run that is cancelled', () => {
	test('gives no more bytes and closes the connection', async () => {
		const chunks: Chunk[] = ['The'];
		const { get, abort, asked, bodies } = host([{ chunks }]);
		chunks.push(() => abort.abort(), ' bytes', ' of a file.');
		await expect(get()).rejects.toThrow(Cancelled);
		expect(asked).toHaveLength(1);
		expect(bodies).toMatchObject([{ isDestroyed: true }]);
	});

	test.each([
		['does not wait for a host that is silent', { chunks: [never] }],
		['between two attempts sends no other', reset],
	])('%s', async (_, answer) => {
		const { get, abort, clock, asked, elapsed } = host([answer]);
		clock.later(200, () => abort.abort());
		await expect(get()).rejects.toThrow(Cancelled);
		expect(asked).toHaveLength(1);
		expect(elapsed()).toBeLessThan(1_000);
	});
});
