import { parseLink, fileName } from '../../../nodes/EventPlatform/core/files/link';
import { isPrivateHost } from '../../../nodes/EventPlatform/core/client/privateHost';

const isPrivate = (url: URL) => Promise.resolve(isPrivateHost(url.hostname));
const onTheInternet = { apiRoot: 'https://api.livestorm.co/v1', isPrivate };

test.each([
	'http://127.1/',
	'http://0x7f.0.0.1/',
	'http://169.254.169.254/latest/meta-data',
	'http://[::ffff:127.0.0.1]/',
])('%s is followed only where the API is in a private network too', async (url) => {
	const redirect = parseLink(url, onTheInternet, 'https://files.example.com/a');
	await expect(redirect).rejects.toThrow(/leads into a private network/);
	const inside = { ...onTheInternet, apiRoot: 'http://127.0.0.1:4010/v1' };
	expect((await parseLink(url, inside)).href).toBe(new URL(url).href);
});

test('a user and a password in the link go nowhere, and a redirect is relative to where it came from', async () => {
	const { href } = await parseLink('https://ada:secret@files.example.com/a', onTheInternet);
	expect(href).toBe('https://files.example.com/a');
	const next = await parseLink('../c', onTheInternet, 'https://files.example.com/a/b');
	expect(next.href).toBe('https://files.example.com/c');
});

test.each([
	['', 'is not a URL', 'The platform gave no usable link.'],
	['ftp://x.example/a', 'starts with ftp://', 'Only http:// and https:// are followed.'],
	[
		'http://10.0.0.1/',
		'leads into a private network (10.0.0.1)',
		'The API itself is on the internet, so its files should be too. Nothing was sent there.',
	],
])('of "%s" it is said why it is not followed: it %s', async (link, fact, description) => {
	await expect(parseLink(link, onTheInternet)).rejects.toMatchObject({
		name: 'DownloadFailed',
		message: `The link to the file ${fact}`,
		description,
	});
});

test.each([
	['Größe & Änderung (2).mp4', 'Größe & Änderung (2).mp4'],
	['../../etc/passwd', 'passwd'],
	['a:b*c?.mp4', 'a_b_c_.mp4'],
	['film\u202E4pm.exe', 'film4pm.exe'],
	['.htaccess', 'htaccess'],
	['...', 'recording-1'],
	[' \u2066 ', 'recording-1'],
	[`${'ä'.repeat(300)}.mp4`, `${'ä'.repeat(120)}.mp4`],
	[`a${'会'.repeat(300)}.mp4`, `a${'会'.repeat(79)}.mp4`],
	[`a${'🎬'.repeat(300)}.mp4`, `a${'🎬'.repeat(59)}.mp4`],
])('"%s" becomes "%s"', (title, name) => {
	expect(fileName(title, 'recording-1')).toBe(name);
});
