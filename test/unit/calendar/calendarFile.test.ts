import * as fc from 'fast-check';
import ICAL from 'ical.js';
import {
	writeCalendarFile,
	type CalendarEntry,
} from '../../../nodes/EventPlatform/core/calendar/calendarFile';
import {
	entryOf,
	type EntrySettings,
} from '../../../nodes/EventPlatform/core/calendar/sessionEntry';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

const page = 'https://app.example.com/p/product-tour';
/** 28 November 2026, 09:30 in UTC. */
const startsAt = Date.UTC(2026, 10, 28, 9, 30) / 1_000;
const madeAt = Date.UTC(2026, 10, 1, 8, 0, 0) / 1_000;
const changedAt = Date.UTC(2026, 9, 1) / 1_000;

function fileOf(
	session: JsonObject = {},
	event: JsonObject = {},
	settings: EntrySettings = {},
): string {
	return writeCalendarFile([entryWith(session, event, settings)], madeAt);
}

function entryWith(
	session: JsonObject = {},
	event: JsonObject = {},
	settings: EntrySettings = {},
): CalendarEntry {
	const read = {
		session: {
			type: 'sessions',
			id: 's1',
			attributes: {
				estimated_started_at: startsAt,
				updated_at: changedAt,
				...session,
			},
		},
		event: {
			type: 'events',
			id: 'e1',
			attributes: { title: 'Product Tour', registration_link: page, ...event },
		},
	};
	const entry = entryOf(read, settings, madeAt);
	if (entry === undefined) throw new Error('The session has no date');
	return entry;
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
	expect(event.summary).toBe('Product Tour – Morning');
	expect(event.description).toBe(`What is new\n\nMore: ${page}`);
	expect(event.location).toBe(page);
	expect(value('url')).toBe(page);
	expect(value('status')).toBe('CONFIRMED');
});

test('a session that moves keeps its UID and has a higher sequence and the new date', () => {
	const before = parsed(fileOf());
	const moved = { estimated_started_at: startsAt + 86_400, updated_at: changedAt + 3_600 };
	const after = parsed(fileOf(moved));
	expect(after.value('uid')).toBe(before.value('uid'));
	expect(after.value('dtstart')).toBe('2026-11-29T09:30:00Z');
	expect([before.event.sequence, after.event.sequence]).toEqual([212_976_000, 212_979_600]);
});

test('a canceled session is canceled in the calendar', () => {
	expect(parsed(fileOf({ status: 'canceled' })).value('status')).toBe('CANCELLED');
});

test('a file of several sessions has each entry and the name under which people find it', () => {
	const entries = ['s1', 's2'].map((id) => ({ ...entryWith({ name: id }), uid: id }));
	const file = writeCalendarFile(entries, madeAt, 'Tours 2026');
	const calendar = new ICAL.Component(ICAL.parse(file) as unknown[]);
	const titles = calendar
		.getAllSubcomponents('vevent')
		.map((entry) => new ICAL.Event(entry).summary);
	expect(titles).toEqual(['Product Tour – s1', 'Product Tour – s2']);
	for (const property of ['name', 'x-wr-calname']) {
		expect(calendar.getFirstPropertyValue(property)).toBe('Tours 2026');
	}
	expectLines(file);
});

test.each([
	['minutes before the start', 15, -900],
	['days before', 2_880, -172_800],
	['at the start', 0, 0],
])('a reminder comes %s, with the title as its text', (_, reminderMinutes, seconds) => {
	const { calendar } = parsed(fileOf({}, {}, { reminderMinutes }));
	const alarm = calendar.getFirstSubcomponent('vevent')?.getFirstSubcomponent('valarm');
	const trigger = alarm?.getFirstPropertyValue('trigger') as { toSeconds(): number } | undefined;
	expect(trigger?.toSeconds() ?? NaN).toBeCloseTo(seconds);
	expect(alarm?.getFirstPropertyValue('action')).toBe('DISPLAY');
	expect(alarm?.getFirstPropertyValue('description')).toBe('Product Tour');
});

test.each([
	['nobody chose one', {}, {}],
	['the session was canceled', { status: 'canceled' }, { reminderMinutes: 15 }],
])('there is no reminder where %s', (_, session, settings) => {
	expect(fileOf(session, {}, settings)).not.toContain('VALARM');
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
			const said = [title.trim(), name.trim()].filter(Boolean).join(' – ') || 'Webinar';
			expect(event.summary).toBe(asWritten(said));
		}),
	);
});

test.each([
	['a line of 75 octets stays whole', 'x'.repeat(67), `SUMMARY:${'x'.repeat(67)}`],
	['a longer one goes on behind a space', 'x'.repeat(68), `SUMMARY:${'x'.repeat(67)}\r\n x`],
	[
		'the space counts in the lines that follow',
		'x'.repeat(142),
		`SUMMARY:${'x'.repeat(67)}\r\n ${'x'.repeat(74)}\r\n x`,
	],
	['two octets are not cut', `${'x'.repeat(66)}é`, `SUMMARY:${'x'.repeat(66)}\r\n é`],
	['four are not either', `${'x'.repeat(65)}🎉`, `SUMMARY:${'x'.repeat(65)}\r\n 🎉`],
	['tabs stay, other control characters go', 'a\u0000\u0007\tb\u007f', 'SUMMARY:a\tb'],
])('section 3.1: %s', (_, title, line) => {
	expect(fileOf({}, { title })).toContain(`\r\n${line}\r\n`);
});

test('an address is not escaped, and a moment has whole seconds', () => {
	const address = 'https://x.example/?a=1,2;3';
	const file = writeCalendarFile([entryWith({}, { registration_link: address })], changedAt + 0.75);
	expect(file).toContain(`\r\nURL:${address}\r\n`);
	expect(file).toContain('\r\nDTSTAMP:20261001T000000Z\r\n');
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
