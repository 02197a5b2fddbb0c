import { checkedLink } from '../../../nodes/EventPlatform/core/files/link';
import { isPrivateHost } from '../../../nodes/EventPlatform/core/files/privateHost';

const hostOf = (url: string) => new URL(url).hostname;
const onTheInternet = 'https://api.livestorm.co/v1';

test.each([
	'http://localhost/',
	'http://localhost./',
	'http://files.localhost/',
	'http://intranet/',
	'http://n8n.internal/',
	'http://127.0.0.1/',
	'http://127.1/',
	'http://2130706433/',
	'http://0x7f.0.0.1/',
	'http://0.0.0.0/',
	'http://10.1.2.3/',
	'http://100.64.0.1/',
	'http://169.254.169.254/latest/meta-data',
	'http://172.16.0.1/',
	'http://172.31.255.255/',
	'http://192.168.1.1/',
	'http://192.0.0.8/',
	'http://198.18.0.1/',
	'http://224.0.0.1/',
	'http://255.255.255.255/',
	'http://[::1]/',
	'http://[::]/',
	'http://[::ffff:127.0.0.1]/',
	'http://[::ffff:8.8.8.8]/',
	'http://[64:ff9b::7f00:1]/',
	'http://[2002:7f00:1::]/',
	'http://[2001::1]/',
	'http://[fc00::1]/',
	'http://[fd12:3456::1]/',
	'http://[fe80::1]/',
	'http://[ff02::1]/',
])('%s is no address of the internet', (url) => {
	expect(isPrivateHost(hostOf(url))).toBe(true);
	expect(() => checkedLink(url, onTheInternet)).toThrow(/leads into a private network/);
	expect(checkedLink(url, 'http://127.0.0.1:4010/v1').href).toBe(new URL(url).href);
});

test.each([
	'https://files.example.com/a.mp4?signature=1',
	'https://8.8.8.8/',
	'https://172.32.0.1/',
	'https://100.128.0.1/',
	'https://192.1.2.3/',
	'https://223.255.255.255/',
	'https://[2606:4700:4700::1111]/',
	'https://[2001:4860:4860::8888]/',
	'https://bucket.s3.eu-west-1.amazonaws.com/a',
])('%s is one', (url) => {
	expect(isPrivateHost(hostOf(url))).toBe(false);
	expect(checkedLink(url, onTheInternet).href).toBe(new URL(url).href);
});

test('only the web is followed', () => {
	expect(() => checkedLink('file:///etc/passwd', onTheInternet)).toThrow(
		'The link to the file starts with file://',
	);
});

test('a user and a password in the link go nowhere', () => {
	expect(checkedLink('https://ada:secret@files.example.com/a', onTheInternet).href).toBe(
		'https://files.example.com/a',
	);
});

test('a redirect is relative to where it came from, and checked like a link', () => {
	const from = 'https://files.example.com/a/b';
	expect(checkedLink('../c', onTheInternet, from).href).toBe('https://files.example.com/c');
	expect(() => checkedLink('http://169.254.169.254/', onTheInternet, from)).toThrow(
		'The link to the file leads into a private network (169.254.169.254)',
	);
});

test.each(['', 'a file', 'https://', '/files/1'])('"%s" is no link', (link) => {
	expect(() => checkedLink(link, onTheInternet)).toThrow('The link to the file is not an address');
});

test.each([
	['', 'The platform gave no usable link.'],
	['ftp://files.example.com/a', 'Only http:// and https:// are followed.'],
	[
		'http://10.0.0.1/',
		'The API itself is on the internet, so its files should be too. Nothing was sent there.',
	],
])('of "%s" it is said why it is not followed', (link, description) => {
	expect(() => checkedLink(link, onTheInternet)).toThrow(
		expect.objectContaining({ name: 'DownloadFailed', description }) as Error,
	);
});
