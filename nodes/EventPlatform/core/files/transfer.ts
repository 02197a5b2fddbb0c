/* Files that the platform links to. Begin here; link.ts says where a link may lead, and what a file may be called. */
import { againAfterMs, Cancelled } from '../http/failure';
import type { Answer, Clock } from '../http/ports';
import { DownloadFailed, checkedLink, type Surroundings } from './link';

export interface FileAnswer extends Answer {
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
export async function* transfer(file: FileToGet, parts: TransferParts): AsyncGenerator<Uint8Array> {
	const { clock, signal } = parts;
	const { most = file.size ?? mostUnknown } = file;
	let { link, size } = file;
	let received = 0;
	let isRenewed = false;
	/** Tells one version of a file from the next. */
	let version: string | undefined;

	/** Goes on where the last answer ended; undefined when the host failed to give one. */
	async function ask(): Promise<FileAnswer | undefined> {
		const answer = await follow(link, received, parts);
		if (answer === undefined) return undefined;
		const { status, body } = answer;
		if (status === 200 || (status === 206 && received > 0)) return answer;
		body.destroy();
		if (status === 429 || status >= 500) return undefined;
		if (refusals.has(status) && !isRenewed) {
			isRenewed = true;
			link = await file.renew();
			return await ask();
		}
		throw new DownloadFailed(
			`The host of the file refused it (${status})`,
			'The host refused a new link as well, or the platform gave none. The recording may be gone.',
		);
	}

	/** What is about to come has to belong to what came. */
	function check({ status, headers }: FileAnswer): void {
		// What n8n has decoded does not say so any more; it is found out by its size.
		if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
			throw new DownloadFailed(
				'The host sent the file compressed, although the node did not ask for that',
				'Its bytes could not be counted. A proxy in between may have compressed it.',
			);
		}
		const { etag, 'content-range': range = '', 'content-length': length } = headers;
		const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(range) ?? [];
		const isOther = version !== undefined && etag !== undefined && etag !== version;
		if (isOther || (status === 206 && Number(start) !== received)) {
			throw new DownloadFailed(
				'The file changed while it was being downloaded',
				'Run the node again to get the new one.',
			);
		}
		version ??= etag;
		const told = Number(status === 206 ? total : length);
		if (Number.isInteger(told)) checkSize(told);
	}

	function checkSize(actual: number): void {
		size ??= actual;
		if (size > most) {
			throw new DownloadFailed(
				`The file is larger than ${Math.round(most / 10_000) / 100} MB`,
				"Raise 'Max File Size (MB)' in the options to download it.",
			);
		}
		if (actual === size) return;
		throw new DownloadFailed(
			`The file has ${actual} bytes where the platform says ${size}`,
			'The platform may still be processing it, or may have replaced it. Try again later.',
		);
	}

	/** Whether the answer came to its own end. */
	async function* read(answer: FileAnswer): AsyncGenerator<Uint8Array, boolean> {
		const { status, body } = answer;
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
		let skip = status === 200 ? received : 0;
		const chunks = body[Symbol.asyncIterator]();
		try {
			check(answer);
			for (;;) {
				waitingSince = clock.now();
				const next = await chunks.next().catch(brokenOff);
				waitingSince = Infinity;
				if (signal?.aborted) throw new Cancelled();
				if (next === undefined || next.done) return next !== undefined;
				const bytes = next.value.subarray(Math.min(skip, next.value.length));
				skip -= next.value.length - bytes.length;
				received += bytes.length;
				if (received > (size ?? most)) checkSize(received);
				if (bytes.length > 0) yield bytes;
			}
		} finally {
			isOver = true;
			body.destroy();
			await watch;
		}
	}

	if (size !== undefined) checkSize(size);
	for (let breaks = 1; ; breaks++) {
		const answer = await ask();
		if (answer && (yield* read(answer))) return checkSize(received);
		const againMs = againAfterMs('transfer', breaks);
		if (againMs === undefined) {
			throw new DownloadFailed(
				`The download of the file broke off ${breaks} times`,
				`${received} of ${size ?? 'an unknown number of'} bytes had arrived. Try again later.`,
			);
		}
		await clock.sleep(againMs, signal);
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

/** What a connection says that fails may hold the link, and is not kept. */
function brokenOff(error: unknown): undefined {
	if (error instanceof Cancelled || error instanceof DownloadFailed) throw error;
	return undefined;
}
