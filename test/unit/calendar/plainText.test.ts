import { plainTextOf } from '../../../nodes/EventPlatform/core/calendar/plainText';

test.each([
	['plain text', 'What is new, 3 < 4 & more', 'What is new, 3 < 4 & more'],
	['paragraphs', '<p>One</p><p>Two<br/>Three</p>', 'One\nTwo\nThree'],
	['a list', '<ul><li>One</li><li class="x">Two</li></ul>', '- One\n- Two'],
	['a link', '<a href="https://x.example">Here</a>', 'Here'],
	[
		'entities',
		'&lt;b&gt; &amp;amp; &quot;&#39;&#x1F389;&nbsp;&unknown;',
		'<b> &amp; "\'🎉 &unknown;',
	],
	['an entity that is no character', '&#0;&#xFFFFFF;', '&#0;&#xFFFFFF;'],
	['scripts and styles', '<style>p { a: b }</style><script>alert(1)</script>Text', 'Text'],
	['many blank lines', '<p>One</p>\n\n\n\n<div>   </div><p>Two</p>', 'One\n\nTwo'],
	['nothing', '', ''],
])('a description in HTML becomes text for a calendar: %s', (_, html, text) => {
	expect(plainTextOf(html)).toBe(text);
});

test('a long description is cut between two characters', () => {
	const text = plainTextOf('🎉'.repeat(6_000));
	expect([...text]).toHaveLength(5_001);
	expect(text.endsWith('🎉…')).toBe(true);
});

test.each(['<', '<li ', '&#', '<script', '\n ', '</p'])(
	'a description of %j, made to be slow, takes time that grows with its length, not with its square',
	(part) => {
		const used = (length: number) => {
			const description = part.repeat(length / part.length);
			const before = process.cpuUsage();
			for (let read = 0; read < 500_000; read += length) plainTextOf(description);
			return process.cpuUsage(before).user;
		};
		// A busy machine only adds to a measurement: the least of three is the nearest to the truth.
		const leastUsed = (length: number) => Math.min(used(length), used(length), used(length));
		// The same number of characters is read each time. With the square it would be ten times as much.
		expect(leastUsed(20_000) / leastUsed(2_000)).toBeLessThan(5);
	},
);
