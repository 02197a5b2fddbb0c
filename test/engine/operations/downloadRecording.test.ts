import '../../support/time/fasterClock';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { chunksOf } from '../../../sandbox/files/content';
import { seededId } from '../../../sandbox/seed/ids';
import { startPlatform } from '../../support/n8n/startPlatform';
import { startTestServer } from '../../support/platform/testServer';
import type { NodeRun } from '../../support/n8n/engine';
import { storeFilesIn } from '../../support/n8n/engineFiles';
import { sandboxForTests, type TestSandbox } from '../../support/platform/sandbox';
import { makeSession } from '../../support/platform/platformRecords';
import { operate } from '../../support/n8n/operation';
import { byId } from '../../support/n8n/locators';
import { heldSession, unknownId } from '../../support/platform/seededIds';

const film = seededId('recording', 1);
const sound = seededId('recording', 2);
const size = 300_000;
const whole = Buffer.concat([...chunksOf(0, size)]);
const home = mkdtempSync(join(tmpdir(), 'recordings-'));
let sandbox: TestSandbox;
let pathOf: (id: string) => string;

beforeAll(async () => {
	pathOf = await storeFilesIn(home);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

beforeEach(async () => {
	sandbox = await sandboxForTests();
	for (const id of [film, sound])
		sandbox.platform.store.update('recordings', id, { file_size: size });
});

test('the newest recording comes whole, with its record beside it, and its host gets no token', async () => {
	const later = Math.floor(Date.now() / 1000);
	sandbox.platform.store.update('recordings', sound, { created_at: later });
	const { outcome, requests } = await download();
	expect(isWhole(outcome)).toBe(true);
	const { binary, json } = outcome.items[0] ?? {};
	expect(binary?.data).toMatchObject({ fileName: 'session.mp3', mimeType: 'audio/mpeg' });
	expect(json).toMatchObject({ id: sound, session_id: heldSession, file_size: size });
	expect(json).not.toHaveProperty('url');
	expect(requests).toEqual([
		`GET /v1/sessions/${heldSession}/recordings api_token`,
		`GET /files/${sound} none`,
	]);
});

test.each([
	['mp4', 'talk.mp4', 'talk.mp4', 'video/mp4'],
	['mp4', 'talk', 'talk.mp4', 'video/mp4'],
	['mp4', '', `recording-${film}.mp4`, 'video/mp4'],
	['', 'talk.webm', 'talk.webm', 'video/webm'],
	['video/quicktime', 'talk.mp4', 'talk.mp4', 'video/quicktime'],
])(
	'a recording of type "%s" named "%s" is the file %s of type %s',
	async (mime_type, file_name, fileName, mimeType) => {
		sandbox.platform.store.update('recordings', film, { mime_type, file_name });
		const { outcome } = await download({ recordingId: byId(film) });
		expect(outcome.error).toBeUndefined();
		expect(outcome.items[0]?.binary?.data).toMatchObject({ fileName, mimeType });
	},
);

test('where nothing says which recording is the newest, people are told which one came', async () => {
	for (const id of [film, sound])
		sandbox.platform.store.update('recordings', id, { created_at: 0 });
	const { outcome } = await download();
	expect(outcome.items[0]?.json.id).toBe(film);
	expect(outcome.hints).toEqual([
		"The platform does not say when recordings were made. Where a session has several, the first of its list was downloaded: choose another one in 'Recording'.",
	]);
	const chosen = await download({ recordingId: byId(sound) });
	expect(chosen.outcome.hints).toEqual([]);
});

test.each([film, film.toUpperCase()])('a recording can be chosen as %s', async (id) => {
	const { outcome } = await download({ recordingId: byId(id) });
	expect(outcome.items[0]?.json.id).toBe(film);
});

test('the file is put into the field that is named', async () => {
	const options = { binaryPropertyName: 'video' };
	const { outcome } = await download({ options });
	expect(Object.keys(outcome.items[0]?.binary ?? {})).toEqual(['video']);
});

test('a session without a recording is an error that says so', async () => {
	const { outcome } = await download({ sessionId: byId(await makeSession(sandbox)) });
	expect(outcome.error?.message).toBe('The session has no recording');
});

test('a recording that the session does not have is an error that names it', async () => {
	const { outcome } = await download({ recordingId: byId(unknownId) });
	expect(outcome.error?.message).toBe(`The session has no recording ${unknownId}`);
});

test('a link that is over is an error, which does not show it', async () => {
	await sandbox.faults([{ match: { path: '/files/*' }, do: 'expire-link' }]);
	const { error } = (await download()).outcome;
	expect(error?.message).toBe('The host of the file refused it (403)');
	expect(JSON.stringify(error)).not.toContain('signature');
	expect(isWhole((await download()).outcome)).toBe(true);
});

describe('a host that cannot be reached', () => {
	/** The recording has this link. `onList`: before the platform sends it. */
	async function downloadLink(link: string, onList = () => {}) {
		const platform = await startPlatform((response) => {
			onList();
			const data = [{ id: film, type: 'recordings', attributes: { url: `${link}/a?signature=1` } }];
			return response.end(JSON.stringify({ data }));
		});
		const parameters = { sessionId: byId(heldSession) };
		return await operate(platform, 'session.downloadRecording', parameters);
	}

	test('because nothing answers there is named', async () => {
		const { error } = await downloadLink('http://127.0.0.1:9');
		expect(error?.message).toBe('Nothing answers at http://127.0.0.1:9');
		expect(error?.description).toMatch(/The network said: ECONNREFUSED\. .*Try again later\.$/);
	});

	test('because nobody knows its name is named', async () => {
		const { error } = await downloadLink('http://files.invalid');
		expect(error?.message).toBe('The host of http://files.invalid is not known');
	});

	test.each([
		['http://files.invalid', 'The host of http://files.invalid is not known'],
		['http://127.0.0.1:9', 'Nothing answers at http://127.0.0.1:9'],
	])('is named where a redirect leads there: %s', async (to, message) => {
		const host = await startTestServer((response) =>
			response.writeHead(302, { Location: `${to}/b?signature=2` }).end(),
		);
		const { error } = await downloadLink(host.baseUrl);
		expect(error?.message).toBe(message);
		expect(JSON.stringify(error)).not.toContain('signature');
	});

	test('because it has no HTTPS is named at once', async () => {
		let connections = 0;
		const host = createServer((socket) => {
			connections += 1;
			socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
		});
		await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
		const address = `https://127.0.0.1:${(host.address() as AddressInfo).port}`;
		const { error } = await downloadLink(address);
		host.close();
		expect(error?.message).toBe(`There is no HTTPS at ${address}`);
		expect(connections).toBe(1);
	});

	test('because n8n protects its own network is named in the words of n8n, and asked for once', async () => {
		const protection = Container.get(SsrfProtectionConfig);
		const host = await startTestServer((response) => response.end('film'));
		try {
			const { error } = await downloadLink(host.baseUrl, () => (protection.enabled = true));
			expect(error?.message).toBe("n8n forbids connections to the file's host");
			expect(error?.description).toContain('127.0.0.1');
			expect(JSON.stringify(error)).not.toContain('signature');
		} finally {
			protection.enabled = false;
		}
		expect(host.seen).toEqual([]);
	});
});

test('a transfer that breaks goes on where it broke', async () => {
	await sandbox.faults([{ match: { path: '/files/*' }, do: 'truncate' }]);
	const { outcome, requests } = await download();
	expect(isWhole(outcome)).toBe(true);
	expect(requests).toHaveLength(3);
});

describe('a file that a host compresses, although nobody asked for that,', () => {
	const gzip = { 'Content-Encoding': 'gzip' };
	const compressed = gzipSync(whole);

	test.each([
		['where its size is known', size],
		['where its size is unknown', null],
	])('is decoded by n8n and comes whole, also after a break, %s', async (_, bytes) => {
		let requests = 0;
		const { outcome } = await downloadFrom((response) => {
			response.writeHead(200, { ...gzip, 'Last-Modified': 'Sat, 28 Nov 2026 10:00:00 GMT' });
			const isBroken = ++requests === 1;
			response.write(isBroken ? compressed.subarray(0, compressed.length / 2) : compressed, () =>
				isBroken ? response.destroy() : response.end(),
			);
		}, bytes);
		expect(isWhole(outcome)).toBe(true);
		expect(requests).toBe(2);
	});

	test('is refused where it becomes larger than the platform says', async () => {
		const { outcome } = await downloadFrom((response) => {
			response.writeHead(200, gzip).end(gzipSync(Buffer.alloc(50_000_000)));
		});
		expect(outcome.error?.message).toMatch(/bytes where the platform says 300,000$/);
		expect(leftovers()).toEqual([]);
	});

	test('is refused where the host gives the size of what is compressed', async () => {
		const { outcome } = await downloadFrom((response) => {
			response.writeHead(200, { ...gzip, 'Content-Length': compressed.length }).end(compressed);
		}, null);
		expect(outcome.error?.message).toContain(
			`where the platform says ${compressed.length.toLocaleString('en-US')}`,
		);
		expect(leftovers()).toEqual([]);
	});

	test('is refused where n8n does not know the encoding', async () => {
		const { outcome } = await downloadFrom((response) =>
			response.writeHead(200, { 'Content-Encoding': 'aes128gcm' }).end(whole),
		);
		expect(outcome.error?.message).toMatch(/^The host sent the file compressed/);
	});
});

test('a file whose size nobody says comes whole', async () => {
	const { outcome } = await downloadFrom((response) => {
		response.write(whole);
		response.end();
	}, null);
	expect(isWhole(outcome)).toBe(true);
});

test('a recording without a name has a name without the characters of a path', async () => {
	const platform = await startPlatform((response, { url, headers }) => {
		if (url === '/film') return response.end('film');
		const attributes = { url: `http://${headers.host}/film`, file_name: '' };
		const data = [{ id: '../a/b\\c:d', type: 'recordings', attributes }];
		return response.end(JSON.stringify({ data }));
	});
	const parameters = { sessionId: byId(heldSession) };
	const outcome = await operate(platform, 'session.downloadRecording', parameters);
	expect(outcome.error).toBeUndefined();
	expect(outcome.items[0]?.binary?.data).toMatchObject({ fileName: 'c_d' });
});

test('a file that is larger than wanted is not asked for', async () => {
	sandbox.platform.store.update('recordings', film, { file_size: 3_000_000 });
	const { outcome, requests } = await download({
		recordingId: byId(film),
		options: { maxFileSize: 2 },
	});
	expect(outcome.error?.message).toBe('The file is larger than 2 MB');
	expect(requests.join()).not.toContain('/files/');
});

test('a redirect to another host is followed, and gives neither host a credential, a cookie or the token', async () => {
	const second = await startTestServer((response) => response.end(whole));
	const { outcome, seen } = await downloadFrom((response) => {
		response.setHeader('Set-Cookie', 'session=secret');
		response.writeHead(302, { Location: `${second.baseUrl}/there` }).end();
	});
	expect(isWhole(outcome)).toBe(true);
	const headers = [...seen, ...second.seen].map((request) => request.headers);
	expect(headers).toHaveLength(2);
	const names = headers.flatMap((each) => Object.keys(each));
	expect(names.filter((name) => ['authorization', 'cookie'].includes(name))).toEqual([]);
	expect(JSON.stringify(headers)).not.toContain(sandbox.apiToken);
});

test('a run that is cancelled stops the transfer and keeps nothing', async () => {
	let begun = () => {};
	const cancel = new Promise<void>((resolve) => (begun = resolve));
	const files = await startTestServer((response) => {
		response.write(Buffer.alloc(100_000));
		begun();
	});
	const outcome = await run({}, await sandboxFor(files.baseUrl), cancel);
	expect(outcome.run.status).toBe('canceled');
	expect(leftovers()).toEqual([]);
});

test('a run that is cancelled ends a request for a file that nobody answers', async () => {
	let begun = () => {};
	let ended = () => {};
	const cancel = new Promise<void>((resolve) => (begun = resolve));
	const hungUp = new Promise<void>((resolve) => (ended = resolve));
	const files = await startTestServer((response) => {
		response.on('close', () => ended());
		begun();
	});
	const running = run({}, await sandboxFor(files.baseUrl), cancel);
	await cancel;
	// n8n's own timeout would end it after a minute.
	const patience = sleep(20_000, 'still open', { ref: false });
	expect(await Promise.race([hungUp, patience])).toBeUndefined();
	expect((await running).run.status).toBe('canceled');
});

test('a store that takes nothing ends the transfer, also where the run continues, so that no connection stays open', async () => {
	let ended = () => {};
	const hungUp = new Promise<void>((resolve) => (ended = resolve));
	const files = await startTestServer((response) => {
		response.on('close', () => ended());
		response.write(Buffer.alloc(100_000));
	});
	rmSync(home, { recursive: true });
	writeFileSync(home, 'There is no folder here');
	try {
		const settings = { onError: 'continueRegularOutput' } as const;
		const parameters = { sessionId: byId(heldSession) };
		const platform = await sandboxFor(files.baseUrl);
		const { records } = await operate(platform, 'session.downloadRecording', parameters, {
			settings,
		});
		expect(records).toMatchObject([{ error: 'n8n could not store the file' }]);
		const patience = sleep(20_000, 'still open', { ref: false });
		expect(await Promise.race([hungUp, patience])).toBeUndefined();
	} finally {
		rmSync(home);
		mkdirSync(home);
	}
});

/** The link of every recording leads to a host that answers like this. */
async function downloadFrom(answer: (response: ServerResponse) => void, bytes?: number | null) {
	const files = await startTestServer((response) => answer(response));
	return { outcome: await run({}, await sandboxFor(files.baseUrl, bytes)), seen: files.seen };
}

/** `bytes`: the size that the platform gives for the film; null: none. */
async function sandboxFor(filesUrl: string, bytes: number | null = size) {
	const withFiles = await sandboxForTests({ filesUrl });
	withFiles.platform.store.update('recordings', film, { file_size: bytes ?? 0 });
	return withFiles;
}

async function download(more: object = {}) {
	const outcome = await run(more, sandbox);
	const { requests } = outcome;
	const lines = requests.map(({ method, path, tokenKind }) => `${method} ${path} ${tokenKind}`);
	return { outcome, requests: lines };
}

function run(more: object, on: TestSandbox, cancel?: Promise<void>) {
	const parameters = { sessionId: byId(heldSession), ...more };
	return operate(on, 'session.downloadRecording', parameters, { cancel });
}

function isWhole({ items, error }: Pick<NodeRun, 'items' | 'error'>): boolean {
	if (error) throw error;
	return readFileSync(pathOf(items[0]?.binary?.data?.id ?? '')).equals(whole);
}

/** Gives the files that a failed transfer has left in the store. */
function leftovers(): string[] {
	const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
	return files.filter((file) => file.includes('.tmp.'));
}
