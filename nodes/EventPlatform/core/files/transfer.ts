/* Files that the platform links to. Begin here; link.ts says where a link may lead, and what a file may be called. */
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
	/** In bytes. Absent: its known size, or five gigabytes. */
	most?: number;
	/** Asks the platform for a new link. */
	renew(): Promise<string>;
}

export interface TransferParts extends Surroundings {
	/** One GET without any credential, redirects not followed. Throws when no answer comes. */
	open(url: URL, headers: Record<string, string>): Promise<FileResponse>;
	clock: Clock;
	signal?: AbortSignal;
}

const mostRedirects = 5;
const mostUnknown = 5_000_000_000;
/** Without a byte for so long the connection is dead. */
const stalledMs = 60_000;
/** How file hosts refuse a link whose time is over; S3 takes 403, and 400 for a signature. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);

/** The version of a file as the host describes it. Two responses about the same version agree in every field that both have. */
interface Version {
	etag?: string;
	modified?: string;
	/** In bytes. */
	size?: number;
}

/** Whether two answers are of one version of the file, as far as they say. */
function compareVersions(before: Version, now: Version): 'same' | 'other' | 'unknown' {
	const names = ['etag', 'modified', 'size'] as const;
	const told = names.filter((name) => before[name] !== undefined && now[name] !== undefined);
	if (told.some((name) => before[name] !== now[name])) return 'other';
	return told.length > 0 ? 'same' : 'unknown';
}

/** The version that an answer shows, and where in the file its bytes begin (undefined: at no byte that can be understood). */
function readVersion({ status, headers }: FileResponse): { version: Version; start?: number } {
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

	isLike(other: Fingerprint): boolean {
		return this.hash === other.hash;
	}
}

function changed(): DownloadFailed {
	return new DownloadFailed(
		'The file changed while it was being downloaded',
		'Run the node again to get the new one.',
	);
}

/**
 * Each byte of a file once: a transfer goes on where it broke, and a link that is refused is renewed once. Where the host
 * says nothing of the version, the file is asked for from its beginning, which has to be the same as before.
 */
export function transfer(file: FileToGet, parts: TransferParts): AsyncGenerator<Uint8Array> {
	return new Transfer(file, parts).run();
}

/** One file on its way, over as many connections as it takes. */
class Transfer {
	private readonly most: number;
	private link: string;
	private size?: number;
	private receivedBytes = 0;
	private readonly fingerprint = new Fingerprint();
	private isRenewed = false;
	private version: Version;
	/** A rest can only be told to belong to the beginning by what the host says of both. */
	private mayAskForRest = true;

	constructor(
		private readonly file: FileToGet,
		private readonly parts: TransferParts,
	) {
		const { link, size, most = size ?? mostUnknown } = file;
		this.most = most;
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
					`${this.receivedBytes} of ${this.size ?? 'an unknown number of'} bytes had arrived. Try again later.`,
				);
			}
			await clock.sleep(againMs, signal);
		}
	}

	/** Goes on where the last response ended; undefined when the host failed to give one. */
	private async ask(): Promise<FileResponse | undefined> {
		const start = this.mayAskForRest ? this.receivedBytes : 0;
		const response = await follow(this.link, start, this.parts);
		if (response === undefined) return undefined;
		const { status, body } = response;
		if (status === 206 && start > 0) {
			const { version } = readVersion(response);
			if (compareVersions(this.version, version) !== 'unknown') return response;
			body.destroy();
			this.mayAskForRest = false;
			return await this.ask();
		}
		if (status === 200) return response;
		body.destroy();
		if (status === 429 || status >= 500) return undefined;
		if (refusals.has(status) && !this.isRenewed) {
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
		const { version, start } = readVersion(response);
		const { etag = version.etag, modified = version.modified, size = version.size } = this.version;
		const isOther = compareVersions({ etag, modified }, version) === 'other';
		if (isOther || (status === 206 && start !== this.receivedBytes)) throw changed();
		this.version = { etag, modified, size };
		if (version.size !== undefined) this.checkSize(version.size);
	}

	private checkSize(actual: number): void {
		this.size ??= actual;
		if (this.size > this.most) {
			throw new DownloadFailed(
				`The file is larger than ${Math.round(this.most / 10_000) / 100} MB`,
				"Raise 'Max File Size (MB)' in the options to download it.",
			);
		}
		if (actual === this.size) return;
		throw new DownloadFailed(
			`The file has ${actual} bytes where the platform says ${this.size}`,
			'The platform may still be processing it, or may have replaced it. Try again later.',
		);
	}

	/** Whether the response came to its own end. */
	private async *read(response: FileResponse): AsyncGenerator<Uint8Array, boolean> {
		const { status, body } = response;
		const { clock, signal } = this.parts;
		let waitingSince = Infinity;
		let isOver = false;
		async function destroyWhenStalled(): Promise<void> {
			while (!isOver && !signal?.aborted && clock.now() - waitingSince <= stalledMs) {
				await clock.sleep(250);
			}
			body.destroy();
		}

		const watch = destroyWhenStalled();
		// The beginning again, which was handed on already.
		let skip = status === 200 ? this.receivedBytes : 0;
		const again = new Fingerprint();
		const chunks = body[Symbol.asyncIterator]();
		try {
			this.check(response);
			for (;;) {
				waitingSince = clock.now();
				const next = await chunks.next().catch(brokenOff);
				waitingSince = Infinity;
				if (signal?.aborted) throw new Cancelled();
				if (next?.done && skip > 0) throw changed();
				if (next === undefined || next.done) return next !== undefined;
				const skipped = Math.min(skip, next.value.length);
				again.add(next.value.subarray(0, skipped));
				skip -= skipped;
				if (skipped > 0 && skip === 0 && !again.isLike(this.fingerprint)) throw changed();
				const bytes = next.value.subarray(skipped);
				this.fingerprint.add(bytes);
				this.receivedBytes += bytes.length;
				if (this.receivedBytes > (this.size ?? this.most)) this.checkSize(this.receivedBytes);
				if (bytes.length > 0) yield bytes;
			}
		} finally {
			isOver = true;
			body.destroy();
			await watch;
		}
	}
}

async function follow(link: string, start: number, parts: TransferParts) {
	const range = start > 0 && { Range: `bytes=${start}-` };
	// Compressed bytes could not be counted, nor could a transfer of them go on in the middle.
	const headers = { 'Accept-Encoding': 'identity', ...range };
	let url = await checkedLink(link, parts);
	for (let redirects = 0; redirects <= mostRedirects; redirects++) {
		const answer = await parts.open(url, headers).catch(brokenOff);
		const { location } = answer?.headers ?? {};
		if (!answer || answer.status < 300 || answer.status > 399 || !location) return answer;
		answer.body.destroy();
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
