/** Enough for people; file systems take 255 bytes. */
const longest = 120;

/** The name of a file as it may stand in a folder and on a page: without control, bidi and path characters. */
export function fileName(given: string, otherwise: string): string {
	const name = (given.split(/[\\/]/).at(-1) ?? '')
		.replace(/\p{C}/gu, '')
		.replace(/[:*?"<>|]/g, '_')
		.trim()
		.replace(/^\.+/, '');
	const [ending = ''] = /\.\w{1,10}$/.exec(name) ?? [];
	const start = [...name.slice(0, name.length - ending.length)].slice(0, longest).join('');
	return start === '' ? otherwise : start + ending;
}
