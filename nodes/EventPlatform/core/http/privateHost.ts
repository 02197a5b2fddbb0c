/**
 * Whether a host name, as a URL has it, belongs to this machine or a network that is not the internet.
 * A URL writes every IPv4 address in four decimal parts, and an IPv6 address in brackets.
 */
export function isPrivateHost(hostname: string): boolean {
	const host = hostname.toLowerCase().replace(/\.$/, '');
	if (host.startsWith('[')) return isPrivateV6(host.slice(1, -1));
	const parts = host.split('.').map(Number);
	if (parts.length === 4 && parts.every((part) => Number.isInteger(part)))
		return isPrivateV4(parts);
	if (!host.includes('.') || privateNames.test(host)) return true;
	const [, ...within] = addressInName.exec(host) ?? [];
	return within.length > 0 && isPrivateV4(within.map(Number));
}

const privateNames =
	/\.(?:localhost|localdomain|local|internal|intranet|private|lan|home|corp|svc|test|home\.arpa|localtest\.me|lvh\.me)$/;
/** Services that resolve any name to the address within it. */
const addressInName =
	/(?:^|[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})\.(?:nip|sslip|xip)\.io$/;

/** RFC 6890 and what is reserved since: nothing there is on the internet. */
function isPrivateV4([a = 0, b = 0]: number[]): boolean {
	return (
		[0, 10, 127].includes(a) ||
		a >= 224 ||
		(a === 100 && b >= 64 && b < 128) ||
		(a === 169 && b === 254) ||
		(a === 172 && b >= 16 && b < 32) ||
		(a === 192 && (b === 168 || b === 0)) ||
		(a === 198 && (b === 18 || b === 19))
	);
}

/** 2000::/3 is the internet, but for the ranges that carry an IPv4 address in them. */
function isPrivateV6(address: string): boolean {
	const [first = '', second = ''] = address.split(':');
	const start = Number.parseInt(first || '0', 16);
	const carriesV4 =
		start === 0x2002 || (start === 0x2001 && Number.parseInt(second || '0', 16) === 0);
	return start < 0x2000 || start > 0x3fff || carriesV4;
}
