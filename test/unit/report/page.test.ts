import { groupsOf } from '../../../nodes/EventPlatform/core/report/groups';
import { writePage } from '../../../nodes/EventPlatform/core/report/page';
import {
	readPerson,
	type ReportedPerson,
} from '../../../nodes/EventPlatform/core/report/reportedPerson';
import { attendee, person, personRecord, summarize } from './reportedPeople';

const hostile = `<img src=x onerror="alert('&')">`;
const escaped = '&lt;img src=x onerror=&quot;alert(&#39;&amp;&#39;)&quot;&gt;';

function pageOf(
	people: readonly ReportedPerson[],
	more: Partial<Parameters<typeof writePage>[0]> = {},
): string {
	const summary = summarize(people, { askedCount: 1_234, unansweredCount: 5 });
	return writePage({
		title: 'Product Tour',
		lines: ['Mon, 2 Nov 2026, 10:00 (UTC)'],
		summary,
		groupedBy: 'UTM Source',
		groups: groupsOf(people, { by: 'utm_source' }),
		engaged: [{ name: 'Ada Lovelace', score: 12 }],
		sessions: [],
		asOf: 'Tue, 3 Nov 2026, 09:00 (UTC)',
		...more,
	});
}

/** The texts that people read. */
const textsIn = (html: string) =>
	html
		.replace(/<style>.*<\/style>/g, '')
		.split(/<[^>]*>/)
		.map((text) => text.trim())
		.filter((text) => text !== '' && text !== '&nbsp;');

test('the page has title, date, figures, how long people stayed, the groups and the most engaged', () => {
	const writer = attendee(80, { messages_count: 2 });
	const people = [writer, attendee(20), person({ utm_source: 'mail' })];
	expect(textsIn(pageOf(people)).join(' | ')).toBe(
		[
			'Product Tour | Product Tour | Mon, 2 Nov 2026, 10:00 (UTC)',
			'Registered | 3 | Attended | 2 | 66.7 %, 1 did not | Engaged | 1 | 50 % of attended',
			'Stayed for half | 1 | or longer | Average minutes | 50 | median 50',
			'Watched the replay | 0',
			'Questions | 1,234 | 5 unanswered | Chat messages | 2',
			'How much of the session people stayed',
			'Under 25 % | 1 | 25 to 50 % | 0 | 50 to 75 % | 0 | 75 % or more | 1',
			'Registered and attended, by UTM Source | None | 2 of 2 | mail | 0 of 1',
			'The first part of a bar: attended. The rest: registered, but did not attend.',
			'Most engaged | Name | Score | Ada Lovelace | 12',
			'The score is messages + 3 × questions + 2 × up-votes.',
			'As of Tue, 3 Nov 2026, 09:00 (UTC). Not counted: 0 team members and 0 guest speakers.',
		].join(' | '),
	);
});

test('the page of 130,000 groups is written', () => {
	const group = { registrants: 2, attendees: 1 };
	const groups = Array.from({ length: 130_000 }, (_, index) => ({ ...group, group: `g${index}` }));
	expect(pageOf([], { groups })).toContain('129,988 smaller groups are not shown.');
});

test('who registered after the end is named, and no part of a bar', () => {
	const end = 1_795_000_000;
	const late = readPerson(personRecord({ created_at: end + 1 }), { endedAt: end });
	const texts = textsIn(pageOf([attendee(80), late, late])).join(' | ');
	expect(texts).toContain('Registered | 3 | 2 after the end | Attended | 1 | 100 %, 0 did not |');
	expect(texts).toContain('None | 1 of 1');
	expect(textsIn(pageOf([late])).join(' | ')).toContain('None | 0 of 0');
});

test('a figure has at most one decimal', () => {
	const questions = { askedCount: 0, unansweredCount: 0 };
	const summary = { ...summarize([attendee(80)], questions), average_minutes: 12.345 };
	expect(textsIn(pageOf([], { summary })).join(' | ')).toContain('Average minutes | 12.3 |');
});

test('what the platform does not give is a dash, and nothing is drawn of it', () => {
	const texts = textsIn(pageOf([person({ attended: null })], { engaged: undefined }));
	expect(texts.join(' | ')).toContain(
		'Attended | – | Engaged | – | Stayed for half | – | or longer | Average minutes | –',
	);
	expect(texts).not.toContain('How much of the session people stayed');
	expect(texts).not.toContain('Most engaged');
});

test('a page of an event has a line for each session, and says that figures may change', () => {
	const line = {
		label: 'Europe',
		summary: summarize([attendee(90)], {}),
	};
	const texts = textsIn(pageOf([attendee(90)], { sessions: [line], notice: 'Not final.' }));
	expect(texts.join(' | ')).toContain(
		'Session | Registered | Attended | Rate | Europe | 1 | 1 | 100 %',
	);
	expect(texts).toContain('Not final.');
});

test('only the twelve largest groups are drawn, and the others counted', () => {
	const people = Array.from({ length: 15 }, (_, at) => person({ utm_source: `source ${at}` }));
	const texts = textsIn(pageOf(people));
	expect(texts.filter((text) => text.startsWith('source'))).toHaveLength(12);
	expect(texts).toContain('3 smaller groups are not shown.');
	expect(textsIn(pageOf([]))).toContain('Nobody is registered.');
});

test('every text of somebody else is escaped', () => {
	const line = { label: hostile, summary: summarize([], { askedCount: 0, unansweredCount: 0 }) };
	const html = pageOf([person({ utm_source: hostile })], {
		title: hostile,
		lines: [hostile],
		notice: hostile,
		groupedBy: hostile,
		engaged: [{ name: hostile, score: 1 }],
		sessions: [line],
		asOf: hostile,
	});
	expect(html).not.toContain(hostile);
	expect(html.split(escaped)).toHaveLength(10);
});

test('the page has no script and loads nothing, and its styles are inline except for dark mode', () => {
	const html = pageOf([attendee(80)]);
	expect(html).not.toMatch(/<(?:script|img|link|iframe|object|form|input|svg)\b/i);
	expect(html).not.toMatch(/\b(?:src|href|on\w+)=|url\(|@import|https?:/i);
	expect([...html.matchAll(/<style>(.*?)<\/style>/g)].map(([, style]) => style)).toEqual([
		expect.stringMatching(/^@media \(prefers-color-scheme:dark\)\{.*\}$/),
	]);
});

test('each colour has another one in dark mode, by the class of its element, also that of a notice', () => {
	const html = pageOf([attendee(80), person()], { notice: 'Attendance may still change.' });
	const [, dark = ''] = /<style>(.*)<\/style>/.exec(html) ?? [];
	const coloured = [...dark.matchAll(/\.(\w+)\{(?:background-)?color:#[0-9a-f]{6}!important\}/g)];
	const used = [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) =>
		names.split(' '),
	);
	expect(new Set(coloured.map(([, name]) => name))).toEqual(new Set(used));
	expect(used).toEqual(expect.arrayContaining(['text', 'notice', 'bar', 'rest']));
	expect(html).toContain('background-color:#fff4d6');
	expect(dark).toContain('.notice{background-color:#3b3214!');
});

test('a bar is as long as its group is large, to a tenth of a percent, and its first part are those who attended', () => {
	const groups = [
		{ group: 'a', registrants: 6, attendees: 6 },
		{ group: 'b', registrants: 3, attendees: 1 },
		{ group: 'c', registrants: 2, attendees: 0 },
	];
	const bars = [...pageOf([], { groups }).matchAll(/<tr>(<td width=.*?)<\/tr>/g)].map(
		([, bar = '']) =>
			[...bar.matchAll(/<td width="([^"]+)%"(?: class="(\w+)")?/g)].map(([, width, name]) =>
				[width, name].filter(Boolean).join(' '),
			),
	);
	expect(bars).toEqual([['100 bar'], ['16.7 bar', '33.3 rest', '50'], ['33.3 rest', '66.7']]);
});
