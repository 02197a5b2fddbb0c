/* Begin here: this folder downloads files that the platform links to. link.ts parses a link. */
import { text, thousands } from '../values/text';
import { Persistence } from '../client/patience';
import { Cancelled, type Clock } from '../client/clock';
import { problemOfConnecting, type ApiResponse, type NoResponse } from '../client/request';
import { describeUnreached } from '../failures/messages';
import { isObject } from '../values/json';
import { DownloadFailed } from './downloadFailed';
import { parseLink } from './link';
import type { Ms } from '../values/units';

export interface FileResponse extends ApiResponse {
	/** The bytes as they arrive. */
	body: AsyncIterable<Uint8Array> & { destroy(): unknown };
}

export interface NoFileResponse extends NoResponse {
	/** The address that was asked last, behind all redirects. Absent: that of the link. */
	lastAddress?: URL;
}

export interface FileToGet {
	link: string;
	size?: number;
	/** A larger file is refused. Absent: the limit is its size, where the platform knows it, else five gigabytes. */
	mostBytes?: number;
}

interface TransferParts {
	/** Sends one GET without any credential, and follows redirects. It throws where another attempt is of no use. */
	open(url: URL, headers: Record<string, string>): Promise<FileResponse | NoFileResponse>;
	/** The clock that measures how long nothing has arrived, and waits between attempts. */
	clock: Clock;
	signal?: AbortSignal;
}

/**
 * Eight hours of video at 1.4 Mbit a second. A host that tells no size may send a few bytes compressed, which n8n decodes on the way, and
 * n8n removes the header that says so: without a limit they would fill the disk.
 */
const mostBytesOfUnknownSize = 5_000_000_000;
/** A connection that has brought so much was no failure like those before: some proxies end each after a minute. */
const bytesOfProgress = 1_000_000;
/** A connection that brings no byte for a minute is dead. */
const stalledMs = 60_000;
/** The time between two checks whether a connection is dead. */
const stallCheckMs = 250;

function fileChanged(): DownloadFailed {
	return new DownloadFailed(
		'The file changed while it was being downloaded',
		'Run the node again to get the new one.',
	);
}

function tooLarge(mostBytes: number): DownloadFailed {
	return new DownloadFailed(
		`The file is larger than ${thousands(Math.round(mostBytes / 10_000) / 100)} MB`,
		"Raise 'Max File Size (MB)' in the options to download it.",
	);
}

/** No other attempt finds the host, or gets another certificate from it. On Linux the code is EAI_AGAIN where DNS fails for the moment. */
function neverPasses(code: string): boolean {
	return code === 'ENOTFOUND' || problemOfConnecting(code) !== undefined;
}

const adviceOnHost =
	'The link of the recording leads there. Check whether this n8n may connect to it.';

/**
 * A transfer goes on where it broke (RFC 9110, 13.1.5): with `If-Range` the host sends the rest of the same version, or the whole of
 * another one, which ends the transfer. Links last an hour or longer and are read right before, so a link that is refused is an error.
 */
export function transfer(file: FileToGet, parts: TransferParts): AsyncGenerator<Uint8Array> {
	return new Transfer(file, parts).run();
}

class Transfer {
	private readonly mostBytes: number;
	/** The size in bytes, as soon as the platform or the host has told it. */
	private size?: number;
	private receivedBytes = 0;
	/** The version as `If-Range` takes it. Undefined: the host tells none, and a rest could be of another one. */
	private version?: string;
	/** Why the latest connection brought no more: in a sentence, and in a title where its host was not reached. */
	private latestBreak: { said: string; title?: string } = { said: '' };

	constructor(
		private readonly file: FileToGet,
		private readonly parts: TransferParts,
	) {
		const { size, mostBytes = size ?? mostBytesOfUnknownSize } = file;
		this.mostBytes = mostBytes;
		this.size = size;
	}

	async *run(): AsyncGenerator<Uint8Array> {
		const { clock, signal } = this.parts;
		if (this.size !== undefined) this.checkSize(this.size);
		const persistence = new Persistence('transfer');
		for (;;) {
			const receivedBefore = this.receivedBytes;
			const response = await this.requestRest();
			const isEnd = response && (yield* this.readBytes(response));
			// The connection may break after the last byte, before a host of unknown length says that it was the last.
			if (isEnd || this.receivedBytes === this.size) return this.checkSize(this.receivedBytes);
			if (this.receivedBytes - receivedBefore >= bytesOfProgress) persistence.succeeded();
			const mayGoOn = this.receivedBytes === 0 || this.version !== undefined;
			const waitMs = persistence.failed(clock.now());
			if (waitMs === undefined || !mayGoOn) throw this.brokeOff(persistence.failures);
			await clock.sleep(waitMs, signal);
		}
	}

	private brokeOff(failures: number): DownloadFailed {
		const size = this.size === undefined ? 'an unknown number of' : thousands(this.size);
		const times = failures === 1 ? 'once' : `${failures} times`;
		const { said, title } = this.latestBreak;
		return new DownloadFailed(
			title ?? `The download of the file broke off ${times}`,
			`${thousands(this.receivedBytes)} of ${size} bytes had arrived. ${said} Try again later.`,
		);
	}

	/** Records why no response came. Once bytes have come from the host, whatever keeps it away passes. */
	private recordUnreached({ networkError, lastAddress }: NoFileResponse, link: URL): void {
		const { origin } = lastAddress ?? link;
		const title = describeUnreached(networkError, origin);
		if (title !== undefined && this.receivedBytes === 0 && neverPasses(networkError)) {
			throw new DownloadFailed(title, adviceOnHost);
		}
		this.latestBreak = { said: describeNetworkError(networkError), title };
	}

	/** Asks for the file from where the last response ended; undefined when the host gives no usable response. */
	private async requestRest(): Promise<FileResponse | undefined> {
		const { receivedBytes: start, version } = this;
		const url = parseLink(this.file.link);
		const response = await this.parts.open(url, {
			// Compressed bytes could not be counted, and a transfer of them could not go on in the middle.
			'Accept-Encoding': 'identity',
			...(start > 0 && version && { Range: `bytes=${start}-`, 'If-Range': version }),
		});
		if ('networkError' in response) {
			this.recordUnreached(response, url);
			return undefined;
		}
		const { status, body } = response;
		if (status === 200 || (status === 206 && start > 0)) return response;
		body.destroy();
		if (status === 429 || status >= 500) {
			this.latestBreak = { said: `The host answered with ${status}.` };
			return undefined;
		}
		throw new DownloadFailed(
			`The host of the file refused it (${status})`,
			'The link may be over: run the node again, which gets a new one. If that fails too, the recording may be gone.',
		);
	}

	/** Checks that the bytes of a response belong to those that have arrived, and notes what it tells of the file. */
	private checkResponse({ status, headers }: FileResponse): void {
		if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
			throw new DownloadFailed(
				'The host sent the file compressed, although the node did not ask for that',
				'Its bytes could not be counted. A proxy in between may have compressed it.',
			);
		}
		const version = versionIn(headers);
		if (this.receivedBytes > 0 && status === 200 && version !== this.version) throw fileChanged();
		const [, start, total] =
			/^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
		if (status === 206 && Number(start) !== this.receivedBytes) throw fileChanged();
		this.version ??= version;
		const size = Number(status === 206 ? total : headers['content-length']);
		if (Number.isInteger(size)) this.checkSize(size);
	}

	/** Checks while the file arrives that it does not become too large. */
	private checkReceived(): void {
		const { size = this.mostBytes, receivedBytes } = this;
		if (receivedBytes > size) this.checkSize(receivedBytes);
	}

	private checkSize(actual: number): void {
		this.size ??= actual;
		if (this.size > this.mostBytes) throw tooLarge(this.mostBytes);
		if (actual === this.size) return;
		throw new DownloadFailed(
			`The file has ${thousands(actual)} bytes where the platform says ${thousands(this.size)}`,
			'The platform may still be processing it, or may have replaced it. Try again later.',
		);
	}

	/** Hands on the bytes of a response, and returns whether the response came to its end. */
	private async *readBytes(response: FileResponse): AsyncGenerator<Uint8Array, boolean> {
		const { status, body } = response;
		const { clock, signal } = this.parts;
		let waitingSinceAt: Ms | undefined;
		let isOver = false;
		let isStalled = false;
		async function destroyWhenStalled(): Promise<void> {
			while (!isOver && !signal?.aborted && !isStalled) {
				isStalled = waitingSinceAt !== undefined && clock.now() - waitingSinceAt > stalledMs;
				if (!isStalled) await clock.sleep(stallCheckMs);
			}
			body.destroy();
		}

		const stallWatch = destroyWhenStalled();
		// A host without ranges sends the whole file, which begins with bytes that were handed on already.
		let bytesToSkip = status === 200 ? this.receivedBytes : 0;
		const pieces = body[Symbol.asyncIterator]();
		try {
			this.checkResponse(response);
			for (;;) {
				waitingSinceAt = clock.now();
				const piece = await pieces.next().catch((error: unknown) => {
					const said = describeNetworkError(errorCodeOf(error));
					this.latestBreak = { said: isStalled ? 'No byte arrived for a minute.' : said };
				});
				waitingSinceAt = undefined;
				if (signal?.aborted) throw new Cancelled();
				if (piece?.done && bytesToSkip > 0) throw fileChanged();
				if (piece === undefined || piece.done) return piece !== undefined;
				const skipped = Math.min(bytesToSkip, piece.value.length);
				bytesToSkip -= skipped;
				const bytes = piece.value.subarray(skipped);
				this.receivedBytes += bytes.length;
				this.checkReceived();
				if (bytes.length > 0) yield bytes;
			}
		} finally {
			isOver = true;
			body.destroy();
			await stallWatch;
		}
	}
}

/** The version of a file, as far as `If-Range` can ask for it: a weak tag does not promise the same bytes. */
function versionIn({
	etag,
	'last-modified': modified,
}: FileResponse['headers']): string | undefined {
	return etag === undefined || etag.startsWith('W/') ? modified : etag;
}

/** The words of the error itself may hold the link. Of what another attempt cannot change the error is thrown again. */
function errorCodeOf(error: unknown): string {
	if (error instanceof Cancelled || error instanceof DownloadFailed) throw error;
	return (isObject(error) && text(error.code)) || 'no answer';
}

function describeNetworkError(code: string): string {
	return `The network said: ${code}.`;
}
