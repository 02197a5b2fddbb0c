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
