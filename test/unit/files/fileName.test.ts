import { fileName } from '../../../nodes/EventPlatform/core/files/link';

test.each([
	['session.mp4', 'session.mp4'],
	['Größe & Änderung (2).mp4', 'Größe & Änderung (2).mp4'],
	['../../etc/passwd', 'passwd'],
	['C:\\temp\\a.mp4', 'a.mp4'],
	['a:b*c?.mp4', 'a_b_c_.mp4'],
	['film\u202E4pm.exe', 'film4pm.exe'],
	['a\u0000\r\nb\u200B.mp4', 'ab.mp4'],
	['.htaccess', 'htaccess'],
	['...', 'recording-1'],
	[' \u2066 ', 'recording-1'],
	['', 'recording-1'],
	['folder/', 'recording-1'],
	[`${'ä'.repeat(300)}.mp4`, `${'ä'.repeat(120)}.mp4`],
])('"%s" becomes "%s"', (given, name) => {
	expect(fileName(given, 'recording-1')).toBe(name);
});
