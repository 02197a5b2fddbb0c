import type { CalendarEntry } from '../../../nodes/EventPlatform/core/calendar/calendarFile';
import {
	entryOf,
	parseWebAddress,
	type EntrySettings,
} from '../../../nodes/EventPlatform/core/calendar/sessionEntry';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

const startsAt = 1_795_858_200;
const page = 'https://app.example.com/p/tour';

/** The entry of a session with this start, and of its event. */
function entryWith(
	session: JsonObject = {},
	event?: JsonObject,
	settings: EntrySettings = {},
): CalendarEntry | undefined {
	const attributes = { estimated_started_at: startsAt, ...session };
	const read = { session: { id: 's1', attributes }, event: event && { attributes: event } };
	return entryOf(read, settings, startsAt - 60);
}

test.each([undefined, null, 0, 1e40, 'soon'])(
	'a session with the start %s has no entry',
	(start) => {
		expect(entryWith({ estimated_started_at: start ?? null })).toBeUndefined();
	},
);

test.each<[string, JsonObject, JsonObject, object]>([
	['begins at the planned start', { started_at: startsAt + 300 }, {}, { startsAt }],
	[
		'begins when it began, where no start was planned',
		{ estimated_started_at: null, started_at: startsAt + 300 },
		{},
		{ startsAt: startsAt + 300 },
	],
	['lasts as the event is planned', {}, { estimated_duration: 45 }, { endsAt: startsAt + 2_700 }],
	['lasts an hour else', {}, {}, { endsAt: startsAt + 3_600 }],
	[
		'lasts an hour where somebody entered seconds',
		{},
		{ estimated_duration: 3_600 },
		{ endsAt: startsAt + 3_600 },
	],
	['lasts a day at most', {}, { estimated_duration: 1_440 }, { endsAt: startsAt + 86_400 }],
	['has a title without an event', { name: ' Morning ' }, {}, { title: 'Morning' }],
	['has a title without any name', {}, {}, { title: 'Webinar' }],
	['has both names', { name: 'Morning' }, { title: 'Tour' }, { title: 'Tour – Morning' }],
	['lasts as a text says', {}, { estimated_duration: ' 45 ' }, { endsAt: startsAt + 2_700 }],
	[
		'lasts an hour where a text says nothing',
		{},
		{ estimated_duration: 'long' },
		{ endsAt: startsAt + 3_600 },
	],
	[
		'has a sequence of its last change',
		{ updated_at: 1_795_000_000 },
		{},
		{ sequence: 217_163_200 },
	],
	[
		'has a larger one after the next change',
		{ updated_at: 1_795_000_001 },
		{},
		{ sequence: 217_163_201 },
	],
	['has a sequence of now where no change is told', {}, {}, { sequence: 218_021_340 }],
	['has none below 0', { updated_at: 1_000_000_000 }, {}, { sequence: 0 }],
	['is canceled by its status', { status: 'canceled' }, {}, { isCanceled: true }],
	[
		'is not canceled any more where it was reopened and kept the time',
		{ status: 'upcoming', canceled_at: startsAt - 60 },
		{},
		{ isCanceled: false },
	],
	[
		'is not canceled because its start has passed',
		{ status: 'upcoming' },
		{},
		{ isCanceled: false },
	],
	['links to the page of the event', {}, { registration_link: page }, { link: page }],
	['links to the room where there is no page', { room_link: page }, {}, { link: page }],
	[
		'has no link and no description where there is none',
		{ room_link: 'javascript:alert(1)' },
		{},
		{ link: undefined, description: undefined },
	],
])('an entry %s', (_, session, event, expected) => {
	expect(entryWith(session, event)).toMatchObject(expected);
});

test('the personal link takes the place of the page, and the person is asked to keep it', () => {
	const link = 'https://events.example.com/live?key=k1';
	const event = { registration_link: page, description: 'News' };
	expect(entryWith({}, event, { joinLink: link })).toMatchObject({
		link,
		description: 'News',
		linkInWords: `Your personal link, please do not share it: ${link}`,
	});
});

test.each<[string, JsonObject, EntrySettings, string | undefined]>([
	['the personal link', {}, { joinLink: page }, `Nur für Sie: ${page}`],
	['the page', { registration_link: page }, {}, `Nur für Sie: ${page}`],
	['no link, so that it is left out', {}, {}, undefined],
])("the sender's own sentence stands before %s", (_, event, settings, linkInWords) => {
	const sentence = 'Nur für Sie:';
	expect(entryWith({}, event, { ...settings, sentence })?.linkInWords).toBe(linkInWords);
});

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
])('a description in HTML becomes text for a calendar: %s', (_, html, text) => {
	expect(entryWith({}, { description: html })?.description).toBe(text);
});

test('a long description is cut between two characters', () => {
	const { description } = entryWith({}, { description: '🎉'.repeat(6_000) }) ?? {};
	expect(description).toBe(`${'🎉'.repeat(5_000)}…`);
});

test('a session without its event has an entry', () => {
	expect(entryWith()).toMatchObject({ uid: 'session-s1@n8n-nodes-event-platform', startsAt });
});

test.each([
	[' https://x.example/a b ', 'https://x.example/a%20b'],
	['HTTP://X.example', 'http://x.example/'],
	['javascript:alert(1)', undefined],
	['https://', undefined],
	['x.example', undefined],
	['', undefined],
])('"%s" is the web address %s', (written, address) => {
	expect(parseWebAddress(written)).toBe(address);
});
