/* Begin here: this folder downloads files that the platform links to. link.ts decides where a link may lead, and names a file. */
import { thousands } from '../client/usage';
import { againAfterMs } from '../client/retryPolicy';
import { Cancelled, type Clock } from '../client/clock';
import type { ApiResponse } from '../client/request';
import { DownloadFailed, parseLink, type Surroundings } from './link';

export interface FileResponse extends ApiResponse {
	/** The bytes as they arrive. */
	body: AsyncIterable<Uint8Array> & { destroy(): unknown };
}

export interface FileToGet {
	link: string;
	size?: number;
	/** A larger file is refused. Absent: the limit is its size, where the platform knows it, else five gigabytes, or one where its host tells no size either. */
	mostBytes?: number;
	renew(): Promise<string>;
}

export interface TransferParts extends Surroundings {
	/** Sends one GET without any credential, and follows no redirect. It throws when no response comes. */
	open(url: URL, headers: Record<string, string>): Promise<FileResponse>;
	/** The clock that measures how long nothing has arrived, and waits between attempts. */
	clock: Clock;
	signal?: AbortSignal;
}

/** A host of files redirects once or twice. */
const mostRedirects = 5;
/** A renewal costs a request of the month. With links that last an hour, these are ten hours. */
const mostRenewals = 10;
/** Eight hours of video at 1.4 Mbit a second. */
const mostBytesOfUnknownSize = 5_000_000_000;
/** A connection that has brought so much was no failure like those before: some proxies end each after a minute. */
const bytesOfProgress = 1_000_000;
/**
 * A host that tells no size may send a few bytes compressed, which n8n decodes on the way to gigabytes. It also removes the header
 * that says so.
 */
const mostBytesOfUntoldSize = 1_000_000_000;
/** A connection that brings no byte for a minute is dead. */
const stalledMs = 60_000;
/** The time between two checks whether a connection is dead. */
const stallCheckMs = 250;
/** File hosts refuse a link whose time is over with these statuses. S3 uses 403, and 400 for a signature. */
const statusesOfExpiredLinks: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);

/** The version of a file as the host describes it. Two responses about the same version agree in every field that both have. */
interface Version {
	etag?: string;
	/** When the file was last changed, as the host writes it. */
	modified?: string;
	size?: number;
}

/** Compares the versions of two responses, as far as the responses tell them. */
function compareVersions(before: Version, now: Version): 'same' | 'different' | 'unknown' {
	const names = ['etag', 'modified', 'size'] as const;
	const comparable = names.filter((name) => before[name] !== undefined && now[name] !== undefined);
	if (comparable.some((name) => before[name] !== now[name])) return 'different';
	return comparable.length > 0 ? 'same' : 'unknown';
}

interface FilePart {
	version: Version;
	/** The position in the file at which its bytes begin. Absent: the header cannot be understood. */
	start?: number;
}

function readPart({ status, headers }: FileResponse): FilePart {
	const { etag, 'last-modified': modified, 'content-range': range = '' } = headers;
	const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(range) ?? [];
	const isPart = status === 206;
	const size = Number(isPart ? total : headers['content-length']);
	return {
		version: { etag, modified, size: Number.isInteger(size) ? size : undefined },
		start: isPart ? (start === undefined ? undefined : Number(start)) : 0,
	};
}

const fnvStart = 0x811c9dc5;
const fnvPrime = 0x01000193;

/** The hash of bytes, by which the same bytes are recognised when they come again. It is FNV-1a, a byte at a time. */
class Fingerprint {
	private hash = fnvStart;

	add(bytes: Uint8Array): void {
		let { hash } = this;
		for (const byte of bytes) hash = Math.imul(hash ^ byte, fnvPrime);
		this.hash = hash;
	}

	isEqual(fingerprint: Fingerprint): boolean {
		return this.hash === fingerprint.hash;
	}
}

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

/**
 * A transfer goes on where it broke, and a link that is refused is renewed once. Where the host says nothing of the version, the
 * file is read from its beginning again, which has to be the same as before: each byte comes once.
 */
export function transfer(file: FileToGet, parts: TransferParts): AsyncGenerator<Uint8Array> {
	return new Transfer(file, parts).run();
}

class Transfer {
	private readonly mostBytes: number;
	private link: string;
	/** The size in bytes, as soon as the platform or the host has told it. */
	private size?: number;
	private receivedBytes = 0;
	private readonly fingerprint = new Fingerprint();
	/** The link was renewed since the last progress: a host that refuses the new one as well has no more to give. */
	private isRenewed = false;
	private renewals = 0;
	private version: Version;
	/** A rest is of no use where the host does not tell to which version it belongs. */
	private mayAskForRest = true;

	constructor(
		private readonly file: FileToGet,
		private readonly parts: TransferParts,
	) {
		const { link, size, mostBytes = size ?? mostBytesOfUnknownSize } = file;
		this.mostBytes = mostBytes;
		this.link = link;
		this.size = size;
		this.version = { size };
	}

	async *run(): AsyncGenerator<Uint8Array> {
		const { clock, signal } = this.parts;
		if (this.size !== undefined) this.checkSize(this.size);
		for (let failures = 1; ; failures++) {
			const receivedBefore = this.receivedBytes;
			const response = await this.requestRest();
			if (response && (yield* this.readBytes(response))) return this.checkSize(this.receivedBytes);
			if (this.receivedBytes - receivedBefore >= bytesOfProgress) {
				failures = 1;
				this.isRenewed = false;
			}
			const againMs = againAfterMs('transfer', failures);
			if (againMs === undefined) {
				throw new DownloadFailed(
					`The download of the file broke off ${failures} times`,
					`${thousands(this.receivedBytes)} of ${this.size === undefined ? 'an unknown number of' : thousands(this.size)} bytes had arrived. Try again later.`,
				);
			}
			await clock.sleep(againMs, signal);
		}
	}

	/** Asks for the file from where the last response ended; undefined when the host gives no usable response. */
	private async requestRest(): Promise<FileResponse | undefined> {
		const start = this.mayAskForRest ? this.receivedBytes : 0;
		const response = await openLink(this.link, start, this.parts);
		if (response === undefined) return undefined;
		const { status, body } = response;
		if (status === 206 && start > 0) {
			const { version } = readPart(response);
			if (compareVersions(this.version, version) !== 'unknown') return response;
			body.destroy();
			this.mayAskForRest = false;
			return await this.requestRest();
		}
		if (status === 200) return response;
		body.destroy();
		if (status === 429 || status >= 500) return undefined;
		if (statusesOfExpiredLinks.has(status) && !this.isRenewed && this.renewals < mostRenewals) {
			this.isRenewed = true;
			this.renewals += 1;
			this.link = await this.file.renew();
			return await this.requestRest();
		}
		throw new DownloadFailed(
			`The host of the file refused it (${status})`,
			'The host refused a new link as well, or the platform gave none. The recording may be gone.',
		);
	}

	/** Checks that the rest of the file belongs to the bytes that have arrived. */
	private checkVersion(response: FileResponse): void {
		const { status, headers } = response;
		if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
			throw new DownloadFailed(
				'The host sent the file compressed, although the node did not ask for that',
				'Its bytes could not be counted. A proxy in between may have compressed it.',
			);
		}
		const { version, start } = readPart(response);
		const { etag = version.etag, modified = version.modified, size = version.size } = this.version;
		const isChanged = compareVersions({ etag, modified }, version) === 'different';
		if (isChanged || (status === 206 && start !== this.receivedBytes)) throw fileChanged();
		this.version = { etag, modified, size };
		if (version.size !== undefined) this.checkSize(version.size);
	}

	/** Checks while the file arrives that it does not become too large. */
	private checkReceived(): void {
		const { size, receivedBytes, file } = this;
		const mostUntold = file.mostBytes ?? mostBytesOfUntoldSize;
		if (size === undefined && receivedBytes > mostUntold) throw tooLarge(mostUntold);
		if (size !== undefined && receivedBytes > size) this.checkSize(receivedBytes);
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
		let waitingSinceAt: number | undefined;
		let isOver = false;
		async function destroyWhenStalled(): Promise<void> {
			while (!isOver && !signal?.aborted) {
				if (waitingSinceAt !== undefined && clock.now() - waitingSinceAt > stalledMs) break;
				await clock.sleep(stallCheckMs);
			}
			body.destroy();
		}

		const stallWatch = destroyWhenStalled();
		// A whole file begins with bytes that were handed on already.
		let bytesToSkip = status === 200 ? this.receivedBytes : 0;
		const repeatedBytes = new Fingerprint();
		const pieces = body[Symbol.asyncIterator]();
		try {
			this.checkVersion(response);
			for (;;) {
				waitingSinceAt = clock.now();
				const piece = await pieces.next().catch(dropBrokenConnection);
				waitingSinceAt = undefined;
				if (signal?.aborted) throw new Cancelled();
				if (piece?.done && bytesToSkip > 0) throw fileChanged();
				if (piece === undefined || piece.done) return piece !== undefined;
				const skipped = Math.min(bytesToSkip, piece.value.length);
				repeatedBytes.add(piece.value.subarray(0, skipped));
				bytesToSkip -= skipped;
				if (skipped > 0 && bytesToSkip === 0 && !repeatedBytes.isEqual(this.fingerprint))
					throw fileChanged();
				const bytes = piece.value.subarray(skipped);
				this.fingerprint.add(bytes);
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

/** Opens a link, and follows its redirects; undefined when no response comes. */
async function openLink(
	link: string,
	start: number,
	parts: TransferParts,
): Promise<FileResponse | undefined> {
	const range = start > 0 && { Range: `bytes=${start}-` };
	// Compressed bytes could not be counted, and a transfer of them could not go on in the middle.
	const headers = { 'Accept-Encoding': 'identity', ...range };
	let url = await parseLink(link, parts);
	for (let redirects = 0; redirects <= mostRedirects; redirects++) {
		const response = await parts.open(url, headers).catch(dropBrokenConnection);
		const { location } = response?.headers ?? {};
		if (!response || response.status < 300 || response.status > 399 || !location) return response;
		response.body.destroy();
		url = await parseLink(location, parts, url.href);
	}
	throw new DownloadFailed(
		`The link to the file redirects more than ${mostRedirects} times`,
		'It probably redirects in a circle. Try again later.',
	);
}

/** Drops the error of a broken connection, because its words may hold the link. */
function dropBrokenConnection(error: unknown): undefined {
	if (error instanceof Cancelled || error instanceof DownloadFailed) throw error;
	return undefined;
}
