/* Files that the platform links to. Begin here; link.ts says where a link may lead, and what a file may be called. */
import { thousands } from '../client/usage';
import { againAfterMs } from '../client/retryPolicy';
import { Cancelled } from '../client/cancelled';
import type { ApiResponse } from '../client/request';
import type { Clock } from '../client/clock';
import { DownloadFailed, checkedLink, type Surroundings } from './link';

export interface FileResponse extends ApiResponse {
	body: AsyncIterable<Uint8Array> & { destroy(): unknown };
}

export interface FileToGet {
	link: string;
	/** In bytes, where the platform knows it. */
	size?: number;
	/** A larger file is refused. Absent: its size, where the platform knows it, or five gigabytes. */
	mostBytes?: number;
	/** Asks the platform for a new link. */
	renew(): Promise<string>;
}

export interface TransferParts extends Surroundings {
	/** Sends one GET without any credential, and follows no redirect. Throws when no response comes. */
	open(url: URL, headers: Record<string, string>): Promise<FileResponse>;
	clock: Clock;
	signal?: AbortSignal;
}

const mostRedirects = 5;
const mostBytesOfUnknownSize = 5_000_000_000;
/** A connection that brings no byte for so long is dead. */
const stalledMs = 60_000;
/** File hosts refuse a link whose time is over with these statuses. S3 uses 403, and 400 for a signature. */
const statusesOfExpiredLinks: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);

/** The version of a file as the host describes it. Two responses about the same version agree in every field that both have. */
interface Version {
	etag?: string;
	modified?: string;
	/** In bytes. */
	size?: number;
}

/** Whether two responses are of one version of the file, as far as they tell. */
function compareVersions(before: Version, now: Version): 'same' | 'other' | 'unknown' {
	const names = ['etag', 'modified', 'size'] as const;
	const comparable = names.filter((name) => before[name] !== undefined && now[name] !== undefined);
	if (comparable.some((name) => before[name] !== now[name])) return 'other';
	return comparable.length > 0 ? 'same' : 'unknown';
}

/** A response as a part of a file. */
interface FilePart {
	version: Version;
	/** Where in the file its bytes begin; absent: its header cannot be understood. */
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

/** Tells whether the same bytes came again: FNV-1a, a byte at a time. */
class Fingerprint {
	private hash = 0x811c9dc5;

	add(bytes: Uint8Array): void {
		let { hash } = this;
		for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
		this.hash = hash;
	}

	isLike(fingerprint: Fingerprint): boolean {
		return this.hash === fingerprint.hash;
	}
}

function changed(): DownloadFailed {
	return new DownloadFailed(
		'The file changed while it was being downloaded',
		'Run the node again to get the new one.',
	);
}

/**
 * Gives each byte of a file once. A transfer goes on where it broke, and a link that is refused is renewed once. Where the
 * host says nothing of the version, the file is read from its beginning again, which has to be the same as before.
 */
export function transfer(file: FileToGet, parts: TransferParts): AsyncGenerator<Uint8Array> {
	return new Transfer(file, parts).run();
}

/** One file on its way, over as many connections as it takes. */
class Transfer {
	private readonly mostBytes: number;
	private link: string;
	private size?: number;
	private receivedBytes = 0;
	private readonly fingerprint = new Fingerprint();
	private isRenewed = false;
	private version: Version;
	/** Whether the host says by which version a rest belongs to the beginning, so that the rest alone may be asked for. */
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
		for (let breaks = 1; ; breaks++) {
			const response = await this.ask();
			if (response && (yield* this.read(response))) return this.checkSize(this.receivedBytes);
			const againMs = againAfterMs('transfer', breaks);
			if (againMs === undefined) {
				throw new DownloadFailed(
					`The download of the file broke off ${breaks} times`,
					`${thousands(this.receivedBytes)} of ${this.size === undefined ? 'an unknown number of' : thousands(this.size)} bytes had arrived. Try again later.`,
				);
			}
			await clock.sleep(againMs, signal);
		}
	}

	/** Asks for the file from where the last response ended; undefined when the host gives no usable response. */
	private async ask(): Promise<FileResponse | undefined> {
		const start = this.mayAskForRest ? this.receivedBytes : 0;
		const response = await follow(this.link, start, this.parts);
		if (response === undefined) return undefined;
		const { status, body } = response;
		if (status === 206 && start > 0) {
			const { version } = readPart(response);
			if (compareVersions(this.version, version) !== 'unknown') return response;
			body.destroy();
			this.mayAskForRest = false;
			return await this.ask();
		}
		if (status === 200) return response;
		body.destroy();
		if (status === 429 || status >= 500) return undefined;
		if (statusesOfExpiredLinks.has(status) && !this.isRenewed) {
			this.isRenewed = true;
			this.link = await this.file.renew();
			return await this.ask();
		}
		throw new DownloadFailed(
			`The host of the file refused it (${status})`,
			'The host refused a new link as well, or the platform gave none. The recording may be gone.',
		);
	}

	/** Checks that the rest of the file belongs to the bytes that have arrived. */
	private check(response: FileResponse): void {
		const { status, headers } = response;
		if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
			throw new DownloadFailed(
				'The host sent the file compressed, although the node did not ask for that',
				'Its bytes could not be counted. A proxy in between may have compressed it.',
			);
		}
		const { version, start } = readPart(response);
		const { etag = version.etag, modified = version.modified, size = version.size } = this.version;
		const isOther = compareVersions({ etag, modified }, version) === 'other';
		if (isOther || (status === 206 && start !== this.receivedBytes)) throw changed();
		this.version = { etag, modified, size };
		if (version.size !== undefined) this.checkSize(version.size);
	}

	private checkSize(actual: number): void {
		this.size ??= actual;
		if (this.size > this.mostBytes) {
			throw new DownloadFailed(
				`The file is larger than ${thousands(Math.round(this.mostBytes / 10_000) / 100)} MB`,
				"Raise 'Max File Size (MB)' in the options to download it.",
			);
		}
		if (actual === this.size) return;
		throw new DownloadFailed(
			`The file has ${thousands(actual)} bytes where the platform says ${thousands(this.size)}`,
			'The platform may still be processing it, or may have replaced it. Try again later.',
		);
	}

	/** Hands the bytes of a response on. Gives whether it came to its own end. */
	private async *read(response: FileResponse): AsyncGenerator<Uint8Array, boolean> {
		const { status, body } = response;
		const { clock, signal } = this.parts;
		let waitingSinceAt: number | undefined;
		let isOver = false;
		async function destroyWhenStalled(): Promise<void> {
			while (!isOver && !signal?.aborted) {
				if (waitingSinceAt !== undefined && clock.now() - waitingSinceAt > stalledMs) break;
				await clock.sleep(250);
			}
			body.destroy();
		}

		const watch = destroyWhenStalled();
		// A whole file begins with bytes that were handed on already.
		let bytesToSkip = status === 200 ? this.receivedBytes : 0;
		const repeated = new Fingerprint();
		const pieces = body[Symbol.asyncIterator]();
		try {
			this.check(response);
			for (;;) {
				waitingSinceAt = clock.now();
				const next = await pieces.next().catch(brokenOff);
				waitingSinceAt = undefined;
				if (signal?.aborted) throw new Cancelled();
				if (next?.done && bytesToSkip > 0) throw changed();
				if (next === undefined || next.done) return next !== undefined;
				const skipped = Math.min(bytesToSkip, next.value.length);
				repeated.add(next.value.subarray(0, skipped));
				bytesToSkip -= skipped;
				if (skipped > 0 && bytesToSkip === 0 && !repeated.isLike(this.fingerprint)) throw changed();
				const bytes = next.value.subarray(skipped);
				this.fingerprint.add(bytes);
				this.receivedBytes += bytes.length;
				if (this.receivedBytes > (this.size ?? this.mostBytes)) this.checkSize(this.receivedBytes);
				if (bytes.length > 0) yield bytes;
			}
		} finally {
			isOver = true;
			body.destroy();
			await watch;
		}
	}
}

/** Opens a link behind its redirects; undefined when no response comes. */
async function follow(
	link: string,
	start: number,
	parts: TransferParts,
): Promise<FileResponse | undefined> {
	const range = start > 0 && { Range: `bytes=${start}-` };
	// Compressed bytes could not be counted, and a transfer of them could not go on in the middle.
	const headers = { 'Accept-Encoding': 'identity', ...range };
	let url = await checkedLink(link, parts);
	for (let redirects = 0; redirects <= mostRedirects; redirects++) {
		const response = await parts.open(url, headers).catch(brokenOff);
		const { location } = response?.headers ?? {};
		if (!response || response.status < 300 || response.status > 399 || !location) return response;
		response.body.destroy();
		url = await checkedLink(location, parts, url.href);
	}
	throw new DownloadFailed(
		`The link to the file redirects more than ${mostRedirects} times`,
		'It probably redirects in a circle. Try again later.',
	);
}

/** Drops the error of a broken connection, because its words may hold the link. */
function brokenOff(error: unknown): undefined {
	if (error instanceof Cancelled || error instanceof DownloadFailed) throw error;
	return undefined;
}
