/* Files that the platform links to. Begin here; link.ts says where a link may lead, and what a file may be called. */
import { Cancelled } from '../http/failure';
import type { Answer, Clock } from '../http/ports';
import { againAfterMs } from '../http/patience';
import { DownloadFailed, checkedLink, type Surroundings } from './link';

export interface Body extends AsyncIterable<Uint8Array> {
	/** Ends the transfer. */
	destroy(error?: Error): unknown;
}

export interface FileAnswer extends Answer {
	body: Body;
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
	open(url: URL, headers: Record<string, string>): Promise<FileAnswer>;
	clock: Clock;
	signal?: AbortSignal;
}

const mostRedirects = 5;
const mostUnknown = 5_000_000_000;
/** Without a byte for so long the connection is dead. */
const stalledMs = 60_000;
/** How file hosts refuse a link whose time is over; S3 takes 403, and 400 for a signature. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);

/** Each byte of a file once: a transfer goes on where it broke, and a link that is refused is renewed once. */
export class Transfer {
	private received = 0;
	private size: number | undefined;
	private readonly most: number;
	private link: string;
	private isRenewed = false;
	/** Tells one version of a file from the next. */
	private etag: string | undefined;

	constructor(
		private readonly file: FileToGet,
		private readonly parts: TransferParts,
	) {
		this.link = file.link;
		this.size = file.size;
		this.most = file.most ?? file.size ?? mostUnknown;
	}

	async *bytes(): AsyncGenerator<Uint8Array> {
		const { clock, signal } = this.parts;
		if (this.size !== undefined) this.checkSize(this.size);
		for (let breaks = 1; ; breaks++) {
			const answer = await this.ask();
			if (answer && (yield* this.read(answer))) return this.checkSize(this.received);
			const againMs = againAfterMs('transfer', breaks);
			if (againMs === undefined) {
				throw new DownloadFailed(
					`The download of the file broke off ${breaks} times`,
					`${this.received} of ${this.size ?? 'an unknown number of'} bytes had arrived. Try again later.`,
				);
			}
			await clock.sleep(againMs, signal);
		}
	}

	/** Goes on where the last answer ended; undefined when the host failed to give one. */
	private async ask(): Promise<FileAnswer | undefined> {
		const answer = await this.follow();
		if (answer === undefined) return undefined;
		const { status, body } = answer;
		if (status === 200 || (status === 206 && this.received > 0)) return answer;
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

	private async follow(): Promise<FileAnswer | undefined> {
		const { open } = this.parts;
		const range = this.received > 0 && { Range: `bytes=${this.received}-` };
		// Compressed bytes could not be counted, nor could a transfer of them go on in the middle.
		const headers = { 'Accept-Encoding': 'identity', ...range };
		let url = await checkedLink(this.link, this.parts);
		for (let redirects = 0; redirects <= mostRedirects; redirects++) {
			const answer = await open(url, headers).catch(brokenOff);
			const { location } = answer?.headers ?? {};
			if (!answer || answer.status < 300 || answer.status > 399 || !location) return answer;
			answer.body.destroy();
			url = await checkedLink(location, this.parts, url.href);
		}
		throw new DownloadFailed(
			`The link to the file redirects more than ${mostRedirects} times`,
			'It probably redirects in a circle. Try again later.',
		);
	}

	/** What is about to come has to belong to what came. */
	private check({ status, headers }: FileAnswer): void {
		// What n8n has decoded does not say so any more; it is found out by its size.
		if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
			throw new DownloadFailed(
				'The host sent the file compressed, although the node did not ask for that',
				'Its bytes could not be counted. A proxy in between may have compressed it.',
			);
		}
		const { etag, 'content-range': range = '' } = headers;
		const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(range) ?? [];
		const isOther = this.etag !== undefined && etag !== undefined && etag !== this.etag;
		if (isOther || (status === 206 && Number(start) !== this.received)) {
			throw new DownloadFailed(
				'The file changed while it was being downloaded',
				'Run the node again to get the new one.',
			);
		}
		this.etag ??= etag;
		const size = Number(status === 206 ? total : headers['content-length']);
		if (Number.isInteger(size)) this.checkSize(size);
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

	/** Whether the answer came to its own end. */
	private async *read(answer: FileAnswer): AsyncGenerator<Uint8Array, boolean> {
		const { status, body } = answer;
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
		// A host that knows no ranges sends the beginning again.
		let skip = status === 200 ? this.received : 0;
		const chunks = body[Symbol.asyncIterator]();
		try {
			this.check(answer);
			for (;;) {
				waitingSince = clock.now();
				const next = await chunks.next().catch(brokenOff);
				waitingSince = Infinity;
				if (signal?.aborted) throw new Cancelled();
				if (next === undefined || next.done) return next !== undefined;
				const bytes = next.value.subarray(Math.min(skip, next.value.length));
				skip -= next.value.length - bytes.length;
				this.received += bytes.length;
				if (this.received > (this.size ?? this.most)) this.checkSize(this.received);
				if (bytes.length > 0) yield bytes;
			}
		} finally {
			isOver = true;
			body.destroy();
			await watch;
		}
	}
}

/** What a connection says that fails may hold the link, and is not kept. */
function brokenOff(error: unknown): undefined {
	if (error instanceof Cancelled || error instanceof DownloadFailed) throw error;
	return undefined;
}
