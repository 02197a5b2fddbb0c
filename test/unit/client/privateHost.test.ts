import {
	isOutOfReach,
	isPrivateHost,
	describeUndeliverable,
} from '../../../nodes/EventPlatform/core/client/privateHost';

const words = (text: string) => text.trim().split(/\s+/);

test.each(
	words(`
		0.1.2.3 10.255.0.1 127.9.9.9 224.0.0.0 100.64.0.0 100.127.9.9 169.254.0.1 172.16.0.0 172.31.9.9
		192.168.0.1 192.0.0.1 192.0.2.1 198.18.0.1 198.19.0.1 [1fff::1] [4000::1] [2002::1] [2001::1] [2001:0:1::]
		[::] [fe80::1] [64:ff9b::7f00:1] localhost a.b.c.local n8n.internal a.intranet a.lan a.home a.corp a.localhost A.LOCAL files
		minio.storage.svc a.localdomain nas.home.arpa
		a.local.
		vault.service.consul metadata.google.internal 169.254.169.254 [fd00:ec2::254]
		100.100.100.200 168.63.129.16 metadata`),
)('%s is no address of the internet', (host) => expect(isPrivateHost(host)).toBe(true));

test.each(
	words(`
		1.0.0.0 11.0.0.1 126.0.0.1 223.9.9.9 100.63.9.9 100.128.0.0 101.64.0.0 169.253.0.1 168.254.0.1
		168.63.129.17 172.15.9.9 172.32.0.0 173.16.0.0 192.169.0.1 192.0.1.1 192.0.3.1 192.0.64.1 193.168.0.1 193.0.0.1 198.17.0.1 198.20.0.1 199.18.0.1
		[2000::1] [3fff::1] [2003::1] [2001:1::1] [2620:0:1::] [2a00::] localhost.example.com
		local.example.com internal.example.com a.intranet.example.com a.lan.example.com
		a.home.example.com a.corp.example.com a.mylocalhost A.EXAMPLE files.example svc.example.com
		localdomain.example.com home.arpa.example.com
		consul.example.com
		metadata.example.com a.example. 10.0.0.example 10.0.0.0.1 10.example`),
)('%s is an address of the internet', (host) => expect(isPrivateHost(host)).toBe(false));

test.each([
	['http://localhost:5678/webhook/1', 'only this machine or its own network can reach it'],
	['https://10.1.2.3/webhook/1', 'only this machine or its own network can reach it'],
	['http://n8n.example.org/webhook/1', 'the platform only delivers to HTTPS addresses'],
	['/webhook/1', 'it is not a complete address'],
	['https://n8n.example.org/webhook/1', 'undefined'],
])('what speaks against %s: %s', (url, why) =>
	expect(String(describeUndeliverable(url))).toBe(why),
);

test.each([
	['http://localhost:5678/webhook/1', 'https://api.example.org/v1', true],
	['http://localhost:5678/webhook/1', 'http://127.0.0.1:4010/v1', false],
	['https://n8n.example.org/webhook/1', 'https://api.example.org/v1', false],
	// The platform says itself whether it delivers to plain HTTP.
	['http://n8n.example.org/webhook/1', 'https://api.example.org/v1', false],
])('%s is out of reach of %s: %s', (url, apiRoot, isOut) =>
	expect(isOutOfReach(url, apiRoot)).toBe(isOut),
);
