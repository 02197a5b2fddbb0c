/* The lines of a calendar file: RFC 5545, 3.1 and 3.3. */

/** RFC 5545, 3.1: no line is longer, without its line break. */
const longestLineOctets = 75;

/** A property with a value that may have any characters. */
export function textLine(name: string, value: string): string {
	return foldLine(`${name}:${escapeText(value)}`);
}

/** A property whose value is an address. In one there is nothing to escape. */
export function addressLine(name: string, address: string): string {
	return foldLine(`${name}:${address}`);
}

/** A property with a moment, in UTC so that no program needs to know a time zone. */
export function timeLine(name: string, atSeconds: number): string {
	const iso = new Date(atSeconds * 1_000).toISOString();
	return `${name}:${iso.replace(/[-:]|\.\d+/g, '')}`;
}

/** RFC 5545, 3.3.11: what has a meaning in a file is escaped, and control characters have no place in a text. */
export function escapeText(value: string): string {
	return value
		.replace(/\r\n?/g, '\n')
		.replace(/[^\P{Cc}\t\n]/gu, '')
		.replace(/[\\;,]/g, '\\$&')
		.replace(/\n/g, '\\n');
}

/** RFC 5545, 3.1: a long line goes on in the next one, behind a space. No character is cut into two. */
export function foldLine(line: string): string {
	const encoder = new TextEncoder();
	let folded = '';
	let octets = 0;
	for (const character of line) {
		const more = encoder.encode(character).length;
		if (octets + more > longestLineOctets) {
			folded += '\r\n ';
			octets = 1;
		}
		folded += character;
		octets += more;
	}
	return folded;
}
