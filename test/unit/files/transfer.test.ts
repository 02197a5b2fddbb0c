import {
	Transfer,
	type Body,
	type FileAnswer,
	type FileToGet,
} from '../../../nodes/EventPlatform/core/files/transfer';
import { DownloadFailed } from '../../../nodes/EventPlatform/core/files/link';
import { Cancelled } from '../../../nodes/EventPlatform/core/http/failure';
import { VirtualClock } from '../../support/virtualClock';

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
function host(answers: Array<Scripted | Error>, more: Partial<FileToGet> = {}) {
	const clock = new VirtualClock();
	const abort = new AbortController();
	const asked: Array<{ url: string; headers: Record<string, string>; at: number }> = [];
	const bodies: Array<{ isDestroyed: boolean }> = [];
	let renewals = 0;
	const began = clock.now();

	function open(url: URL, headers: Record<string, string>): Promise<FileAnswer> {
		asked.push({ url: url.href, headers, at: clock.now() - began });
		const answer = answers[Math.min(asked.length, answers.length) - 1] ?? {};
		if (answer instanceof Error) return Promise.reject(answer);
		const { status = 200, headers: said = {}, chunks = [content] } = answer;
		const body = bodyOf(chunks);
		bodies.push(body);
		return Promise.resolve({ status, headers: said, body });
	}

	const file: FileToGet = {
		link,
		renew: () => Promise.resolve(`https://files.example.com/renewed-${++renewals}`),
		...more,
	};
	const apiRoot = 'https://api.example.com/v1';
	const isPrivate = ({ hostname }: URL) => Promise.resolve(hostname.startsWith('169.254.'));
	const parts = { open, clock, apiRoot, isPrivate, signal: abort.signal };
	const transfer = new Transfer(file, parts);
	async function read(use = () => Promise.resolve()): Promise<string> {
		let received = '';
		for await (const bytes of transfer.bytes()) {
			if (bytes.length === 0) throw new Error('An empty chunk');
			received += new TextDecoder().decode(bytes);
			await use();
		}
		return received;
	}
	const elapsed = () => clock.now() - began;
	return { asked, bodies, clock, abort, elapsed, read, get: () => clock.run(read()) };
}

function bodyOf(chunks: Chunk[]): Body & { isDestroyed: boolean } {
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

const broken = new Error(`connect ECONNRESET ${link}`);
const never = () => new Promise<void>(() => {});
const partial = (start: number, more: Record<string, string> = {}) => ({
	status: 206,
	headers: { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}`, ...more },
	chunks: [content.slice(start)],
});

test('a file comes whole, uncompressed and with one request', async () => {
	const { get, asked, bodies, elapsed } = host([{ chunks: ['The bytes', '', ' of a file.'] }]);
	expect(await get()).toBe(content);
	expect(asked).toEqual([{ url: link, headers: { 'Accept-Encoding': 'identity' }, at: 0 }]);
	expect(bodies).toMatchObject([{ isDestroyed: true }]);
	expect(elapsed()).toBeLessThanOrEqual(250);
});

describe('a transfer that breaks', () => {
	test('goes on where it broke', async () => {
		const { get, asked, bodies } = host([{ chunks: ['The', ' by', broken] }, partial(6)]);
		expect(await get()).toBe(content);
		expect(asked[1]?.headers).toEqual({ 'Accept-Encoding': 'identity', Range: 'bytes=6-' });
		expect(bodies).toMatchObject([{ isDestroyed: true }, { isDestroyed: true }]);
	});

	test('gives each byte once where the host begins anew', async () => {
		const { get } = host([
			{ chunks: ['The by', broken] },
			{ chunks: ['The', ' bytes', broken] },
			{ chunks: ['The bytes of', ' a file.'] },
		]);
		expect(await get()).toBe(content);
	});

	test('is tried again after half a second, then twice as long each time, ten times in all', async () => {
		const { get, asked } = host([broken]);
		await expect(get()).rejects.toMatchObject({
			message: 'The download of the file broke off 11 times',
			description: '0 of an unknown number of bytes had arrived. Try again later.',
		});
		const waits = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0));
		expect(waits).toEqual([500, 1_000, 2_000, 4_000, ...Array<number>(6).fill(8_000)]);
	});

	test.each([429, 500])('with %i is asked for again', async (status) => {
		const { get, asked, bodies } = host([{ status }, {}]);
		expect(await get()).toBe(content);
		expect(asked.map(({ url }) => url)).toEqual([link, link]);
		expect(bodies[0]).toMatchObject({ isDestroyed: true });
	});

	test('and is refused then is renewed and goes on, or asked for again', async () => {
		for (const status of [404, 500]) {
			const { get, asked } = host([{ chunks: ['The', broken] }, { status }, partial(3)]);
			expect(await get()).toBe(content);
			expect(asked[2]?.url.includes('renewed')).toBe(status === 404);
			expect(asked[2]?.headers.Range).toBe('bytes=3-');
		}
	});

	test('by a cancelled run, or because of what was found out, is not asked for again', async () => {
		for (const error of [new Cancelled(), new DownloadFailed('No', 'No.')]) {
			const { get, asked } = host([error]);
			await expect(get()).rejects.toBe(error);
			expect(asked).toHaveLength(1);
			const later = host([{ chunks: ['The', error] }]);
			await expect(later.get()).rejects.toBe(error);
			expect(later.asked).toHaveLength(1);
		}
	});

	test('says how far it came', async () => {
		const answers = [{ headers: { 'content-length': '20' }, chunks: ['The', broken] }, broken];
		await expect(host(answers).get()).rejects.toMatchObject({
			description: '3 of 20 bytes had arrived. Try again later.',
		});
	});

	test('is not told with the link', async () => {
		const failure = await host([broken]).get().catch(String);
		expect(failure).not.toContain('signature');
	});
});

describe('a connection without a byte', () => {
	const wait = (clock: VirtualClock, ms: number) => () => clock.sleep(ms);

	test('is given up after a minute', async () => {
		const { get, asked } = host([{ chunks: ['The', never] }, partial(3)]);
		expect(await get()).toBe(content);
		expect(asked[1]?.at).toBeGreaterThan(60_000);
		expect(asked[1]?.at).toBeLessThan(62_000);
	});

	test('for less than a minute each time is left alone, however long it takes in all', async () => {
		const chunks: Chunk[] = ['The'];
		const { get, asked, clock, elapsed } = host([{ chunks }]);
		chunks.push(wait(clock, 59_000), ' bytes', wait(clock, 59_000), ' of a file.');
		expect(await get()).toBe(content);
		expect(asked).toHaveLength(1);
		expect(elapsed()).toBeGreaterThanOrEqual(118_000);
	});

	test('is not one where the reader takes its time', async () => {
		const { read, clock, asked } = host([{ chunks: ['The bytes', ' of a file.'] }]);
		expect(await clock.run(read(() => clock.sleep(300_000)))).toBe(content);
		expect(asked).toHaveLength(1);
	});
});

describe('a link', () => {
	test.each([400, 401, 403, 404, 410])(
		'that is refused with %i is renewed once',
		async (status) => {
			const { get, asked, bodies } = host([{ status }, {}]);
			expect(await get()).toBe(content);
			expect(asked.map(({ url }) => url)).toEqual([link, 'https://files.example.com/renewed-1']);
			expect(bodies[0]).toMatchObject({ isDestroyed: true });
			const refused = host([{ status }]);
			await expect(refused.get()).rejects.toMatchObject({
				name: 'DownloadFailed',
				message: `The host of the file refused it (${status})`,
				description:
					'The host refused a new link as well, or the platform gave none. The recording may be gone.',
			});
			expect(refused.asked).toHaveLength(2);
		},
	);

	test.each([204, 206, 304, 402, 418])('that is answered with %i is of no use', async (status) => {
		const { get, asked, bodies } = host([{ status }]);
		await expect(get()).rejects.toThrow(`The host of the file refused it (${status})`);
		expect(asked).toHaveLength(1);
		expect(bodies[0]).toMatchObject({ isDestroyed: true });
	});

	test.each([300, 302, 399])('that leads on with %i is followed', async (status) => {
		const { get, asked, bodies } = host([{ status, headers: { location: '/b' } }, {}]);
		expect(await get()).toBe(content);
		expect(asked.map(({ url }) => url)).toEqual([link, 'https://files.example.com/b']);
		expect(bodies[0]).toMatchObject({ isDestroyed: true });
	});

	test('is followed only from an answer that leads on', async () => {
		const { get, asked } = host([{ headers: { location: '/b' } }]);
		expect(await get()).toBe(content);
		expect(asked).toHaveLength(1);
		const refused = host([{ status: 418, headers: { location: '/b' } }]);
		await expect(refused.get()).rejects.toThrow('refused it (418)');
	});

	test('leads on five times at most', async () => {
		const onward = { status: 302, headers: { location: '/b' } };
		expect(await host([...Array<Scripted>(5).fill(onward), {}]).get()).toBe(content);
		const { get, asked } = host([onward]);
		await expect(get()).rejects.toMatchObject({
			message: 'The link to the file redirects more than 5 times',
			description: 'It probably redirects in a circle. Try again later.',
		});
		expect(asked).toHaveLength(6);
	});

	test('into a private network is not followed, not even by a redirect', async () => {
		const location = 'http://169.254.169.254/';
		const { get, asked } = host([{ status: 302, headers: { location } }]);
		await expect(get()).rejects.toThrow('private network (169.254.169.254)');
		expect(asked).toHaveLength(1);
		const at = host([{}], { link: location });
		await expect(at.get()).rejects.toThrow(DownloadFailed);
		expect(at.asked).toEqual([]);
	});
});

describe('another file', () => {
	const changed = {
		message: 'The file changed while it was being downloaded',
		description: 'Run the node again to get the new one.',
	};
	const begun = { headers: { etag: '"1"' }, chunks: ['The', broken] };

	test('by its version ends the transfer', async () => {
		const { get } = host([begun, partial(3, { etag: '"2"' })]);
		await expect(get()).rejects.toMatchObject(changed);
		const whole = host([begun, { headers: { etag: '"2"' } }]);
		await expect(whole.get()).rejects.toMatchObject(changed);
	});

	test('cannot hide behind an answer that tells no version', async () => {
		const silent = { ...partial(3), chunks: [' by', broken] };
		const { get } = host([begun, silent, partial(6, { etag: '"2"' })]);
		await expect(get()).rejects.toMatchObject(changed);
	});

	test.each(['bytes 4-19/20', 'bytes 0-19/20', 'other', 'a bytes 3-19/20', 'bytes 3-19/20 b'])(
		'may be what comes from elsewhere (%s)',
		async (range) => {
			const { get } = host([{ chunks: ['The', broken] }, partial(3, { 'content-range': range })]);
			await expect(get()).rejects.toMatchObject(changed);
		},
	);

	test('is not one of the same version, nor one that does not tell it again', async () => {
		expect(await host([begun, partial(3, { etag: '"1"' })]).get()).toBe(content);
		expect(await host([begun, partial(3)]).get()).toBe(content);
		const untold = partial(3, { 'content-range': 'bytes 3-19/*' });
		expect(await host([begun, untold]).get()).toBe(content);
		const late = { ...begun, headers: {} };
		expect(await host([late, partial(3, { etag: '"1"' })]).get()).toBe(content);
	});
});

describe('a file of another size than was told', () => {
	const wrong = (actual: number, said: number) => ({
		message: `The file has ${actual} bytes where the platform says ${said}`,
		description:
			'The platform may still be processing it, or may have replaced it. Try again later.',
	});

	test('is an error before a byte of it is given', async () => {
		const { get } = host([{ headers: { 'content-length': '21' }, chunks: [never] }], { size: 20 });
		await expect(get()).rejects.toMatchObject(wrong(21, 20));
	});

	test('by the host that goes on is one, too', async () => {
		const range = { 'content-range': 'bytes 3-20/21' };
		const { get } = host([{ chunks: ['The', broken] }, partial(3, range)], { size: 20 });
		await expect(get()).rejects.toMatchObject(wrong(21, 20));
	});

	test('is told by the first answer where the platform does not know it', async () => {
		const { get } = host([
			{ headers: { 'content-length': '19' }, chunks: ['The', broken] },
			partial(3),
		]);
		await expect(get()).rejects.toMatchObject(wrong(20, 19));
	});

	test('is one when it ends early or goes on', async () => {
		await expect(host([{}], { size: 21 }).get()).rejects.toMatchObject(wrong(20, 21));
		await expect(host([{ chunks: ['The', never] }], { size: 2 }).get()).rejects.toMatchObject(
			wrong(3, 2),
		);
	});
});

describe('a file that is too large', () => {
	const tooLarge = {
		message: 'The file is larger than 0.01 MB',
		description: "Raise 'Max File Size (MB)' in the options to download it.",
	};
	const long = 'x'.repeat(6_000);
	const most = 10_000;

	test('by its record is not asked for', async () => {
		const { get, asked } = host([{}], { size: 10_001, most });
		await expect(get()).rejects.toMatchObject(tooLarge);
		expect(asked).toEqual([]);
	});

	test('by what its host says is not read', async () => {
		const { get, bodies } = host([{ headers: { 'content-length': '10001' }, chunks: [never] }], {
			most,
		});
		await expect(get()).rejects.toMatchObject(tooLarge);
		expect(bodies).toMatchObject([{ isDestroyed: true }]);
	});

	test('by what comes is given up where it is', async () => {
		const { get, bodies } = host([{ chunks: [long, long, never] }], { most });
		await expect(get()).rejects.toMatchObject(tooLarge);
		expect(bodies).toMatchObject([{ isDestroyed: true }]);
	});

	test('is one of five gigabytes where nobody says how large it is', async () => {
		const said = (bytes: number) => [{ headers: { 'content-length': `${bytes}` } }];
		await expect(host(said(5_000_000_001)).get()).rejects.toThrow('larger than 5000 MB');
		await expect(host(said(5_000_000_000)).get()).rejects.toThrow('has 20 bytes where');
		await expect(host([{}], { size: 6_000_000_000 }).get()).rejects.toThrow('has 20 bytes where');
	});
});

test('a file that comes compressed, which nobody asked for, is refused', async () => {
	const { get, bodies } = host([{ headers: { 'content-encoding': 'zstd' } }]);
	await expect(get()).rejects.toMatchObject({
		message: 'The host sent the file compressed, although the node did not ask for that',
		description: 'Its bytes could not be counted. A proxy in between may have compressed it.',
	});
	expect(bodies).toMatchObject([{ isDestroyed: true }]);
});

test('a run that is cancelled gives no more bytes and closes the connection', async () => {
	const chunks: Chunk[] = ['The'];
	const { get, abort, asked, bodies } = host([{ chunks }]);
	chunks.push(() => abort.abort(), ' bytes', ' of a file.');
	await expect(get()).rejects.toThrow(Cancelled);
	expect(asked).toHaveLength(1);
	expect(bodies).toMatchObject([{ isDestroyed: true }]);
});

test('a run that is cancelled does not wait for a host that is silent', async () => {
	const { get, abort, clock, elapsed } = host([{ chunks: [never] }]);
	clock.later(1_000, () => abort.abort());
	await expect(get()).rejects.toThrow(Cancelled);
	expect(elapsed()).toBeLessThan(2_000);
});

test('a run that is cancelled between two attempts sends no other', async () => {
	const { get, abort, clock, asked } = host([broken]);
	clock.later(200, () => abort.abort());
	await expect(get()).rejects.toThrow(Cancelled);
	expect(asked).toHaveLength(1);
});
