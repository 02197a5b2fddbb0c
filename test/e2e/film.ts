import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { hidesToasts, imagesFolder, updatesImages } from '../support/browser/browser';

/** A picture of a page, and how long the film shows it. */
interface Frame {
	png: Buffer;
	shownMs: number;
}

interface Chunk {
	type: string;
	data: Buffer;
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
/** A delay of a frame counts thousandths of a second. */
const ticksPerSecond = 1_000;

/** An animated picture for the docs, of what a page shows at some moments. */
export class Film {
	private readonly frames: Frame[] = [];

	constructor(private readonly page: Page) {}

	/** Keeps what the page shows now. */
	async add(shownMs: number): Promise<void> {
		if (!updatesImages) return;
		// Icons come a moment after what is beside them.
		await this.page.waitForTimeout(1_000);
		const style = hidesToasts;
		const png = await this.page.screenshot({ animations: 'disabled', caret: 'hide', style });
		this.frames.push({ png, shownMs });
	}

	/**
	 * Writes the frames into docs/images, as a PNG that begins anew when it has ended. It begins with the last one, the result:
	 * previews and printers show the first frame alone.
	 */
	save(name: string): void {
		if (!updatesImages) return;
		const frames = [...this.frames.slice(-1), ...this.frames.slice(0, -1)];
		writeFileSync(join(imagesFolder, `${name}.png`), animated(frames));
	}
}

/** https://www.w3.org/TR/png-3/#apng-frame-based-animation */
function animated(frames: readonly Frame[]): Buffer {
	const header = chunksOf(frames[0]?.png).find(({ type }) => type === 'IHDR')?.data;
	if (header === undefined) throw new Error('An animated picture needs a frame.');
	const size = header.subarray(0, 8);
	const chunks: Chunk[] = [
		{ type: 'IHDR', data: header },
		// Repeated without end
		{ type: 'acTL', data: numbers(frames.length, 0) },
	];
	let sequence = 0;
	for (const [index, { png, shownMs }] of frames.entries()) {
		const times = Buffer.alloc(6);
		times.writeUInt16BE(shownMs, 0);
		times.writeUInt16BE(ticksPerSecond, 2);
		const control = Buffer.concat([numbers(sequence++), size, numbers(0, 0), times]);
		chunks.push({ type: 'fcTL', data: control });
		const pixels = pixelsOf(png);
		if (index === 0) chunks.push({ type: 'IDAT', data: pixels });
		else chunks.push({ type: 'fdAT', data: Buffer.concat([numbers(sequence++), pixels]) });
	}
	chunks.push({ type: 'IEND', data: Buffer.alloc(0) });
	return Buffer.concat([signature, ...chunks.map(written)]);
}

/** Compressed harder than the browser does. */
function pixelsOf(png: Buffer): Buffer {
	const parts = chunksOf(png).filter(({ type }) => type === 'IDAT');
	return deflateSync(inflateSync(Buffer.concat(parts.map(({ data }) => data))), { level: 9 });
}

function chunksOf(png: Buffer = signature): Chunk[] {
	const chunks: Chunk[] = [];
	for (let at = signature.length; at < png.length;) {
		const end = at + 8 + png.readUInt32BE(at);
		const type = png.toString('latin1', at + 4, at + 8);
		chunks.push({ type, data: png.subarray(at + 8, end) });
		at = end + 4;
	}
	return chunks;
}

function written({ type, data }: Chunk): Buffer {
	const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	return Buffer.concat([numbers(data.length), named, numbers(crc32(named))]);
}

function numbers(...values: number[]): Buffer {
	const bytes = Buffer.alloc(values.length * 4);
	for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
	return bytes;
}
