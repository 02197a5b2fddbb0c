/** File systems take 255 bytes, of which an ending takes up to eleven. */
const mostBytes = 240;

/**
 * Makes a file name of a title, without control, bidi and path characters, which may not stand in a folder or on a page. `fallback`:
 * the name of a file whose title has no other characters.
 */
export function fileName(title: string, fallback: string): string {
	const name = (title.split(/[\\/]/).at(-1) ?? '')
		.replace(/\p{C}/gu, '')
		.replace(/[:*?"<>|]/g, '_')
		.trim()
		.replace(/^\.+/, '');
	const [ending = ''] = /\.\w{1,10}$/.exec(name) ?? [];
	const beginning = name.slice(0, name.length - ending.length);
	// It reads whole characters only.
	const { read } = new TextEncoder().encodeInto(beginning, new Uint8Array(mostBytes));
	return beginning === '' ? fallback : beginning.slice(0, read) + ending;
}
