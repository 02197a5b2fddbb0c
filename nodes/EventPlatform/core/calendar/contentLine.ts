/* This file writes the lines of a calendar file (RFC 5545, 3.1 and 3.3). */

/** A line may have 75 octets without its line break (RFC 5545, 3.1). */
const longestLineOctets = 75;

/** Writes a property with a text, which may have any characters. */
export function textLine(name: string, value: string): string {
	return foldLine(`${name}:${escapeText(value)}`);
}

/** Writes a property whose value is an address, in which nothing has to be escaped. */
export function addressLine(name: string, address: string): string {
	return foldLine(`${name}:${address}`);
}

/** Writes a property with a moment, in UTC, so that no program needs to know a time zone. */
export function timeLine(name: string, atSeconds: number): string {
	const iso = new Date(atSeconds * 1_000).toISOString();
	return `${name}:${iso.replace(/[-:]|\.\d+/g, '')}`;
}

/** Escapes the characters that have a meaning in a file (RFC 5545, 3.3.11), and drops control characters, which no text may have. */
export function escapeText(value: string): string {
	return value
		.replace(/\r\n?/g, '\n')
		.replace(/[^\P{Cc}\t\n]/gu, '')
		.replace(/[\\;,]/g, '\\$&')
		.replace(/\n/g, '\\n');
}

/** Folds a long line, which goes on in the next one behind a space (RFC 5545, 3.1). No character is cut into two. */
export function foldLine(line: string): string {
	const encoder = new TextEncoder();
	let folded = '';
	let octets = 0;
	for (const character of line) {
		const octetsOfCharacter = encoder.encode(character).length;
		if (octets + octetsOfCharacter > longestLineOctets) {
			folded += '\r\n ';
			octets = 1;
		}
		folded += character;
		octets += octetsOfCharacter;
	}
	return folded;
}
