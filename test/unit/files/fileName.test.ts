import { fileName } from '../../../nodes/EventPlatform/core/files/fileName';

test.each([
	['Größe & Änderung (2).mp4', 'Größe & Änderung (2).mp4'],
	['../../etc/passwd', 'passwd'],
	['a:b*c?.mp4', 'a_b_c_.mp4'],
	['film\u202E4pm.exe', 'film4pm.exe'],
	['.htaccess', 'htaccess'],
	['...', 'recording-1'],
	[' \u2066 ', 'recording-1'],
	[`${'a'.repeat(300)}.mp4`, `${'a'.repeat(240)}.mp4`],
	[`a${'会'.repeat(300)}.mp4`, `a${'会'.repeat(79)}.mp4`],
	[`a${'🎬'.repeat(300)}.mp4`, `a${'🎬'.repeat(59)}.mp4`],
])('"%s" becomes "%s"', (title, name) => {
	expect(fileName(title, 'recording-1')).toBe(name);
});
