import * as fc from 'fast-check';
import ICAL from 'ical.js';
import { writeCalendarFile } from '../../../nodes/EventPlatform/core/calendar/calendarFile';
import { entryOf } from '../../../nodes/EventPlatform/core/calendar/sessionEntry';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

const link = 'https://events.example.com/p/e1/live?email=ada%40example.com&key=k1&s=s1';
const page = 'https://app.example.com/p/product-tour';
/** 28 November 2026, 09:30 in UTC. */
const startsAt = Date.UTC(2026, 10, 28, 9, 30) / 1_000;
const madeAt = Date.UTC(2026, 10, 1, 8, 0, 0) / 1_000;
const createdAt = Date.UTC(2026, 9, 1) / 1_000;

function fileOf(session: JsonObject = {}, event: JsonObject = {}, joinLink?: string): string {
	const read = {
		session: {
			type: 'sessions',
			id: 's1',
			attributes: {
				estimated_started_at: startsAt,
				created_at: createdAt,
				updated_at: createdAt,
				...session,
			},
		},
		event: {
			type: 'events',
			id: 'e1',
			attributes: { title: 'Product Tour', registration_link: page, ...event },
		},
	};
	const entry = entryOf(read, joinLink, madeAt);
	if (entry === undefined) throw new Error('The session has no date');
	return writeCalendarFile(entry, madeAt);
}

/** Reads the file as a program that knows nothing of ours does. */
function parsed(file: string) {
	const calendar = new ICAL.Component(ICAL.parse(file) as unknown[]);
	const [entry, ...more] = calendar.getAllSubcomponents('vevent');
	if (entry === undefined || more.length > 0) throw new Error('There is not one entry');
	const value = (name: string) => String(entry.getFirstPropertyValue(name));
	return { calendar, value, event: new ICAL.Event(entry) };
}

test('another program reads who made the file, when the session is, what it is and where', () => {
	const { calendar, value, event } = parsed(
		fileOf({ name: 'Morning' }, { description: 'What is new', estimated_duration: 45 }),
	);
	expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
	expect(calendar.getFirstPropertyValue('method')).toBe('PUBLISH');
	expect(value('uid')).toBe('session-s1@n8n-nodes-event-platform');
	expect(value('dtstamp')).toBe('2026-11-01T08:00:00Z');
	expect(value('dtstart')).toBe('2026-11-28T09:30:00Z');
	expect(value('dtend')).toBe('2026-11-28T10:15:00Z');
	expect(event.summary).toBe('Product Tour: Morning');
	expect(event.description).toBe(`What is new\n\nMore: ${page}`);
	expect(event.location).toBe(page);
	expect(value('url')).toBe(page);
	expect(value('status')).toBe('CONFIRMED');
});

test('the personal link takes the place of the page, and people are asked to keep it', () => {
	const { value, event } = parsed(fileOf({}, {}, link));
	expect(value('url')).toBe(link);
	expect(event.location).toBe(link);
	expect(event.description).toBe(`Your personal link, please do not share it: ${link}`);
});

test.each([
	['the event names none', {}],
	['it is 0', { estimated_duration: 0 }],
	['it is no number of minutes', { estimated_duration: 1e9 }],
])('a session without an end lasts an hour: %s', (_, event) => {
	expect(parsed(fileOf({}, event)).value('dtend')).toBe('2026-11-28T10:30:00Z');
});

test('a session that moves keeps its UID and has a higher sequence and the new date', () => {
	const before = parsed(fileOf());
	const moved = { estimated_started_at: startsAt + 86_400, updated_at: createdAt + 3_600 };
	const after = parsed(fileOf(moved));
	expect(after.value('uid')).toBe(before.value('uid'));
	expect(after.value('dtstart')).toBe('2026-11-29T09:30:00Z');
	expect([before.event.sequence, after.event.sequence]).toEqual([212_976_000, 212_979_600]);
});

test.each([
	['its status', { status: 'canceled' }],
	['the time of it', { canceled_at: createdAt + 60 }],
])('a canceled session is canceled in the calendar, told by %s', (_, session) => {
	expect(parsed(fileOf(session)).value('status')).toBe('CANCELLED');
});

test.each<[what: string, session: JsonObject, event: JsonObject, title: string]>([
	['only the session has a name', { name: 'Morning' }, { title: null }, 'Morning'],
	['neither has a name', {}, { title: '' }, 'Webinar'],
])('the title is what there is: %s', (_, session, event, title) => {
	expect(parsed(fileOf(session, event)).event.summary).toBe(title);
});

test('a platform that names no page gives a file without a link, and a script is none', () => {
	const { event } = parsed(fileOf({}, { registration_link: 'javascript:alert(1)' }));
	expect(event.location).toBeNull();
	expect(event.description).toBeNull();
});

test.each([
	'Semicolons; commas, backslashes \\ and \\n that is none',
	'Several\nlines\n\nof text',
	`Emoji 🎉👩‍💻 ${'🎉'.repeat(60)}`,
	`${'Ünïcödé '.repeat(40)}end`,
	'x'.repeat(500),
	'A line that ends: BEGIN:VEVENT',
	'"Quoted": a; b=c',
])('a title comes out as it went in: %s', (title) => {
	const file = fileOf({}, { title });
	expect(parsed(file).event.summary).toBe(title.replaceAll(/\r\n?/g, '\n'));
	expectLines(file);
});

test('no text can add a line of its own', () => {
	const title = 'Tour\r\nATTENDEE:mailto:eve@example.com\rEND:VEVENT\u0000\u0007';
	const { event } = parsed(fileOf({}, { title }));
	expect(event.attendees).toEqual([]);
	expect(event.summary).toBe('Tour\nATTENDEE:mailto:eve@example.com\nEND:VEVENT');
});

test('whatever the texts are, every line is short, whole and ends as it should', () => {
	const texts = fc.string({ unit: 'grapheme', maxLength: 300 });
	fc.assert(
		fc.property(texts, texts, texts, (title, name, description) => {
			const file = fileOf({ name }, { title, description: description.replace(/[<&]/g, '') });
			expectLines(file);
			const { event } = parsed(file);
			const said = [title.trim(), name.trim()].filter(Boolean).join(': ') || 'Webinar';
			expect(event.summary).toBe(asWritten(said));
		}),
	);
});

/** Gives the part of a text that a text value can hold. Every line break is the same, and control characters are left out. */
function asWritten(text: string): string {
	return text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\t\n]/gu, '');
}

/** Section 3.1: CRLF at the end of each line, at most 75 octets before it, and no character cut into two. */
function expectLines(file: string): void {
	expect(file.endsWith('\r\n')).toBe(true);
	const lines = file.slice(0, -2).split('\r\n');
	for (const line of lines) {
		expect(line).not.toMatch(/[\r\n]/);
		expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
		expect(Buffer.from(line).toString()).toBe(line);
	}
}
