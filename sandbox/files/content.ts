import { ownFile } from '../ownFiles';

const chunkBytes = 64 * 1024;
/** A prime, so that no two chunks of a file are alike at the same place. */
const period = 65_521;

const pattern = Buffer.from(
	Uint8Array.from({ length: period + chunkBytes }, (_, at) => ((at % period) * 31) & 255),
);
/** Ten seconds in which it dawns, as H.264 in an MP4. Its last box reaches to the end of the file, so that any bytes may follow. */
const film = ownFile('sandbox/files/film.mp4');

/** The bytes of every file from `start` up to `end`: a short film, and then what depends on its place alone. */
export function* chunksOf(start: number, end: number): Generator<Buffer> {
	if (start < film.length) yield film.subarray(start, Math.min(film.length, end));
	for (let at = Math.max(start, film.length); at < end; at += chunkBytes) {
		const offset = at % period;
		yield pattern.subarray(offset, offset + Math.min(chunkBytes, end - at));
	}
}
