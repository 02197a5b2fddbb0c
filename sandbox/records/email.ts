const longest = 254; // RFC 5321

export function isEmail(text: string): boolean {
	return text.length <= longest && /^[^\s@<>,;]+@[^\s@.<>,;]+(?:\.[^\s@.<>,;]+)+$/.test(text);
}
