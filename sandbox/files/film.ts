/** Of a film: macroblocks of 16 × 16 pixels across and down, and one picture each second. */
const across = 20;
const down = 12;
const pictures = 10;
const ticksPerSecond = 1_000;

/**
 * A film that any player shows: ten seconds in which it dawns, H.264 in an MP4. Its last box is said
 * to reach to the end of the file, so that any bytes may follow.
 */
export function makeFilm(): Buffer {
	const samples = Array.from({ length: pictures }, (_, at) => {
		const unit = networkUnit(0x65, picture(at));
		return Buffer.concat([u32(unit.length), unit]);
	});
	const brand = box('ftyp', 'isom', u32(512), 'isomavc1mp41');
	// The place of the samples does not change the size of what says it.
	const start = brand.length + movie(samples, 0).length + 8;
	const open = Buffer.concat([u32(0), Buffer.from('mdat')]);
	return Buffer.concat([brand, movie(samples, start), open, ...samples]);
}

/** One picture: each row of blocks begins with its colors, which the rest of the row repeats. */
function picture(at: number): string {
	const light = at / (pictures - 1);
	let bits = `${ue(0)}${ue(7)}${ue(0)}0000${ue(at % 2)}001${ue(1)}`;
	for (let row = 0; row < down; row++) {
		bits += ue(25);
		// The header of the unit is a whole byte, so this is the next whole byte of the unit.
		bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
		const bright = (line: number) => 40 + 170 * light * ((row * 16 + line) / (down * 16));
		for (let line = 0; line < 16; line++) bits += u8(bright(line)).repeat(16);
		bits += u8(150 - 30 * light).repeat(64) + u8(120 + 40 * light).repeat(64);
		for (let column = 1; column < across; column++) {
			bits += `${ue(2)}${ue(1)}1${column === 1 ? '000011' : '1'}`;
		}
	}
	return bits;
}

const sequence = networkUnit(
	0x67,
	`${u8(66)}${u8(0xc0)}${u8(13)}${ue(0)}${ue(0)}${ue(2)}${ue(0)}0${ue(across - 1)}${ue(down - 1)}1100`,
);
const parameters = networkUnit(0x68, `${ue(0)}${ue(0)}00${ue(0)}${ue(0)}${ue(0)}000111100`);

/** Its header, the bits with the one that ends them, and a 3 wherever two zeros could be taken for a start. */
function networkUnit(header: number, bits: string): Buffer {
	const ended = `${bits}1`;
	const whole = ended.padEnd(Math.ceil(ended.length / 8) * 8, '0');
	const bytes = [header];
	for (const [byte] of whole.matchAll(/.{8}/g)) {
		const value = parseInt(byte, 2);
		if (value <= 3 && bytes.at(-1) === 0 && bytes.at(-2) === 0) bytes.push(3);
		bytes.push(value);
	}
	return Buffer.from(bytes);
}

/** Exp-Golomb, as H.264 writes numbers. */
function ue(value: number): string {
	const bits = (value + 1).toString(2);
	return bits.padStart(bits.length * 2 - 1, '0');
}

function u8(value: number): string {
	return Math.round(value).toString(2).padStart(8, '0');
}

function movie(samples: readonly Buffer[], start: number): Buffer {
	const [width, height] = [across * 16, down * 16];
	const lasts = pictures * ticksPerSecond;
	const matrix = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
	const configuration = Buffer.concat([
		Buffer.from([1, 66, 0xc0, 13, 0xff, 0xe1, 0, sequence.length]),
		sequence,
		Buffer.from([1, 0, parameters.length]),
		parameters,
	]);
	const size = u32((width << 16) | height);
	const look = [words(0, 1, 0, 0, 0, 0), size, words(0x480000, 0x480000, 0, 0x10000)];
	const name = Buffer.alloc(30);
	const entry = box('avc1', ...look, name, u32(0x18ffff), box('avcC', configuration));
	const table = box(
		'stbl',
		box('stsd', words(0, 1), entry),
		box('stts', words(0, 1, samples.length, ticksPerSecond)),
		box('stsc', words(0, 1, 1, samples.length, 1)),
		box('stsz', words(0, 0, samples.length), words(...samples.map(({ length }) => length))),
		box('stco', words(0, 1, start)),
	);
	const here = box('dinf', box('dref', words(0, 1), box('url ', words(1))));
	const media = box(
		'mdia',
		box('mdhd', words(0, 0, 0, ticksPerSecond, lasts, 0x55c40000)),
		box('hdlr', words(0, 0), 'vide', words(0, 0, 0), Buffer.alloc(1)),
		box('minf', box('vmhd', words(1, 0, 0)), here, table),
	);
	const track = words(3, 0, 0, 1, 0, lasts, 0, 0, 0, 0);
	const shown = box('tkhd', track, matrix, words(width << 16, height << 16));
	const times = words(0, 0, 0, ticksPerSecond, lasts, 0x10000, 0x1000000, 0, 0);
	const header = box('mvhd', times, matrix, words(0, 0, 0, 0, 0, 0, 2));
	return box('moov', header, box('trak', shown, media));
}

function box(name: string, ...parts: Array<Buffer | string>): Buffer {
	const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
	return Buffer.concat([u32(body.length + 8), Buffer.from(name), body]);
}

function words(...values: number[]): Buffer {
	return Buffer.concat(values.map(u32));
}

function u32(value: number): Buffer {
	const word = Buffer.alloc(4);
	word.writeUInt32BE(value >>> 0);
	return word;
}
