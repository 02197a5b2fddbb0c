import { describeUndeliverable } from '../../../nodes/EventPlatform/core/webhooks/deliverable';

const internet = 'https://api.example.org/v1';

const notReached = 'only this machine or its own network can reach it';
const words = (text: string) => text.trim().split(/\s+/);

test.each(
	words(`
		0.0.0.0 10.255.0.1 127.9.9.9 169.254.0.1 172.16.0.0 172.31.9.9 192.168.0.1 [::] [::1] [fe80::1] [fd00:ec2::254]
		localhost a.localhost a.b.c.local n8n.internal a.intranet a.lan a.home a.corp A.LOCAL a.local. n8n nas.home.arpa`),
)('%s is no address of the internet', (host) =>
	expect(describeUndeliverable(`https://${host}/webhook/1`, internet)).toBe(notReached),
);

test.each(
	words(`
		1.0.0.0 11.0.0.1 126.0.0.1 100.10.0.1 169.253.0.1 172.15.9.9 172.32.0.0 192.169.0.1 [2a00::] [2000::1]
		localhost.example.com local.example.com internal.example.com home.arpa.example.com a.mylocalhost A.EXAMPLE
		10.0.0.example a.example. 127.example.com`),
)('%s is an address of the internet', (host) =>
	expect(describeUndeliverable(`https://${host}/webhook/1`, internet)).toBeUndefined(),
);

test.each([
	['http://localhost:5678/webhook/1', notReached],
	['http://n8n.example.org/webhook/1', 'the platform only delivers to HTTPS addresses'],
	['/webhook/1', 'it is not a complete address'],
	['https://n8n.example.org/webhook/1', 'undefined'],
])('what speaks against %s: %s', (url, why) => {
	expect(String(describeUndeliverable(url, internet))).toBe(why);
	expect(describeUndeliverable(url, 'http://127.0.0.1:4010/v1')).toBeUndefined();
});

test('an API without HTTPS, such as a sandbox in a company, asks for none, and still has to reach the URL', () => {
	const shared = 'http://sandbox.example.org:4010/v1';
	expect(describeUndeliverable('http://n8n.example.org/webhook/1', shared)).toBeUndefined();
	expect(describeUndeliverable('http://localhost:5678/webhook/1', shared)).toBe(notReached);
});
