const longest = 254; // RFC 5321

/** A host has no underscore (RFC 1123), so `ada@my_company.example` is refused. */
export function isEmail(text: string): boolean {
	return text.length <= longest && /^[^\s@<>,;]+@[^\s@.<>,;_]+(?:\.[^\s@.<>,;_]+)+$/.test(text);
}
