import { parseLink, fileName } from '../../../nodes/EventPlatform/core/files/link';

function refusalOf(link: string): unknown {
	try {
		return parseLink(link);
	} catch (error) {
		return error;
	}
}

test('a user and a password in the link go nowhere', () => {
	const { href } = parseLink('https://ada:secret@files.example.com/a');
	expect(href).toBe('https://files.example.com/a');
});

test.each([
	['', 'is not a URL', 'The platform gave no usable link.'],
	['ftp://x.example/a', 'starts with ftp://', 'Only http:// and https:// are followed.'],
])('of "%s" it is said why it is not followed: it %s', (link, fact, description) => {
	const message = `The link to the file ${fact}`;
	expect(refusalOf(link)).toMatchObject({ name: 'DownloadFailed', message, description });
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
