import { failureText } from '../../nodes/EventPlatform/core/failures/messages';
import { afterResponse } from '../../nodes/EventPlatform/core/client/afterResponse';
import { text } from '../../nodes/EventPlatform/core/values/text';
import type { JsonObject } from '../../nodes/EventPlatform/core/values/json';
import { listRecords } from '../../nodes/EventPlatform/core/client/pages';
import { attributesOf, readPage, readRecord } from '../../nodes/EventPlatform/core/client/document';
import type { Ask, ApiRequest } from '../../nodes/EventPlatform/core/client/request';
import {
	emailUseOfForm,
	isGeneratedAddress,
} from '../../nodes/EventPlatform/core/dialect/publicEvents';
import { readJob } from '../../nodes/EventPlatform/core/dialect/jobs';
import { readTaskResult } from '../../nodes/EventPlatform/core/jobs/taskResult';
import { readDelivered } from '../../nodes/EventPlatform/core/records/record';
import { fieldsOf, showAll } from '../../nodes/EventPlatform/core/records/simplify';
import { askForSession } from '../../nodes/EventPlatform/core/sessions/readSession';
import { SessionCache } from '../../nodes/EventPlatform/core/sessions/sessionCache';
import { sessionFactsOf } from '../../nodes/EventPlatform/core/events/sessionFacts';
import { whyClosed } from '../../nodes/EventPlatform/core/sessions/phase';
import { readPersonFields } from '../../nodes/EventPlatform/form/personFields';
import { FormCache } from '../../nodes/EventPlatform/form/formCache';
import { pickColumns } from '../../nodes/EventPlatform/core/records/columns';
import { fakePlatform } from '../support/platform/fakePlatform';
import eventPeople from '../support/recordedAnswers/eventPeople.json';
import eventWithSession from '../support/recordedAnswers/eventWithSession.json';
import jobAccepted from '../support/recordedAnswers/jobAccepted.json';
import largeWorkspace from '../support/recordedAnswers/largeWorkspace.json';
import publicEventRegistration from '../support/recordedAnswers/publicEventRegistration.json';
import recordings from '../support/recordedAnswers/recordings.json';
import reference2025 from '../support/recordedAnswers/reference2025.json';
import registration from '../support/recordedAnswers/registration.json';
import sessionAnswer from '../support/recordedAnswers/session.json';
import unauthorized from '../support/recordedAnswers/unauthorized.json';
import users from '../support/recordedAnswers/users.json';

const readForm = (ask: Ask) => new FormCache(ask, new SessionCache(ask)).read(sessionId);

/**
 * Answers in the shapes that the real platform was recorded with, with values of our own. Lists and some records have no id
 * there, because the clients that kept them had left it out: the readers do without.
 */
const request: ApiRequest = { method: 'GET', path: '/recorded' };
const answered = (body: unknown, status = 200) => ({ status, headers: {}, body });
/** Takes a value that was read from JSON as a record, because the parts of such values differ. */
const asRecord = (record: object) => record as JsonObject;
const simple = (record: JsonObject) => pickColumns(fieldsOf(record), 'usual');
const whole = (record: JsonObject) => showAll(fieldsOf(record));
const sessionId = eventWithSession.included[0]?.id ?? '';

test('a registration for a public event: the person, with an address that was made up', () => {
	const person = readRecord(request, answered(publicEventRegistration, 201));
	const record = whole(person);
	expect(isGeneratedAddress(text(record.email))).toBe(true);
	expect(record).toMatchObject({ first_name: 'Ada', custom_email: 'ada@example.org' });
	expect(JSON.stringify(record)).not.toContain('0'.repeat(22));
	expect(readTaskResult({ status: 'succeeded', errors: [], data: person })).toMatchObject({
		status: 'registered',
		address: publicEventRegistration.data.attributes.email,
	});
	expect(readDelivered(publicEventRegistration)?.id).toBe(publicEventRegistration.data.id);
});

test('a registration: no rate of attendance, no answer to a question for a file, no key', () => {
	const record = whole(readRecord(request, answered(registration, 201)));
	expect(record).toMatchObject({
		email: 'grace@example.org',
		attended: false,
		attendance_rate: null,
		attendance_duration: 0,
		attendance_minutes: 0,
		avatar: null,
	});
	expect(JSON.stringify(record)).not.toContain('0'.repeat(22));
});

describe('an event and its session', () => {
	const [session] = eventWithSession.included;
	const event = asRecord(eventWithSession.data);
	/** The session with its event beside it, or each by itself. */
	const platform = (isTogether: boolean) =>
		fakePlatform(({ path }) => {
			if (path.startsWith('/events/')) return { data: event };
			return isTogether ? { data: session, included: [event] } : { data: session };
		}).ask;

	test('show who owns the event, in columns', () => {
		const record = whole(readRecord(request, answered(eventWithSession)));
		expect(record).toMatchObject({
			title: 'Spring course',
			recording_public: null,
			owner_id: eventWithSession.data.attributes.owner.id,
			owner_email: 'olga@example.com',
			owner_first_name: 'Olga',
			sessions: [sessionId],
		});
		expect(simple(event)).not.toHaveProperty('scheduling_status');
	});

	test.each([true, false])('give the form, in one answer: %s', async (isTogether) => {
		expect(emailUseOfForm(attributesOf(event).fields)).toBe('kept');
		const { questions: form } = await readForm(platform(isTogether));
		const choices = ['Red', 'Green', 'Blue'].map((name) => ({ name, value: name }));
		expect(
			form.map(({ id, isRequired, mayHaveSeveral, choices }) => ({
				id,
				isRequired,
				mayHaveSeveral,
				choices,
			})),
		).toEqual([
			{ id: 'email', isRequired: true, mayHaveSeveral: false },
			{ id: 'first_name', isRequired: true, mayHaveSeveral: false },
			{ id: 'last_name', isRequired: true, mayHaveSeveral: false },
			{ id: 'avatar', isRequired: false, mayHaveSeveral: false },
			{ id: 'company', isRequired: true, mayHaveSeveral: false },
			{ id: 'color', isRequired: true, mayHaveSeveral: false, choices },
			{ id: 'colors', isRequired: true, mayHaveSeveral: true, choices },
		]);
	});
});

test('a person of an event, of whom no answer is known', async () => {
	const { ask } = fakePlatform(() => eventPeople);
	const [person] = await listRecords(ask, '/events/e/people');
	expect(person && simple(person)).toEqual({
		type: 'people',
		email: 'olga@example.com',
		first_name: 'Olga',
		last_name: 'Host',
		role: 'team_member',
		avatar: null,
	});
});

test('a recording, whose media type is none', () => {
	const [recording] = readPage(request, answered(recordings)).records;
	const record = recording && whole(recording);
	expect(record).toMatchObject({
		mime_type: 'mp4',
		file_name: 'evening.mp4',
		url_expires_in: 43_200,
	});
	expect(record?.mime_type).toBe('mp4');
});

test('a session that nobody started and that has no name is open as far as its record tells', async () => {
	const { data } = sessionAnswer;
	expect(simple(data)).toMatchObject({ status: 'past_not_started', registrants_count: 1 });
	expect(whole(data)).toMatchObject({ duration: null, started_at: 0 });
	expect(sessionFactsOf(data.attributes)).toMatchObject({ event_title: null, name: null });
	const { ask } = fakePlatform(() => ({ data: { id: sessionId, ...data } }));
	const read = await askForSession(ask, sessionId);
	expect(whyClosed(read, 'The session')).toBeUndefined();
});

test('a user with links to other networks', () => {
	const [user] = readPage(request, answered(users)).records;
	expect(user && simple(user)).toEqual({
		type: 'users',
		email: 'olga@example.com',
		first_name: 'Olga',
		last_name: 'Host',
		role: 'host',
		pending_invite: false,
	});
	expect(user && whole(user)).toMatchObject({ locale: 'en', twitter_handle: null });
});

test('the examples of 2025: a slug, a name, and questions that do not say whether they are required', () => {
	const { organization, session, personFields: fields, personMembers } = reference2025;
	expect(whole(organization)).toMatchObject({ name: 'Example Ltd', slug: 'example-ltd' });
	expect(sessionFactsOf(session.attributes)).toMatchObject({ name: 'Second evening' });
	const attributes = { ...personMembers, registrant_detail: { fields } };
	expect(whole({ id: 'p', type: 'people', attributes })).toMatchObject({
		email: 'ada@example.org',
		last_name: 'Lovelace',
		session_role: null,
	});
});

test('a form whose questions do not say whether they are required asks for the email alone', async () => {
	const fields = reference2025.personFields.map(({ id, type, required }) => ({
		id,
		type,
		required,
	}));
	const event = { id: 'e', type: 'events', attributes: { fields } };
	const { ask } = fakePlatform(() => ({
		data: { id: sessionId, type: 'sessions', attributes: { event_id: 'e' } },
		included: [event],
	}));
	const { questions: form } = await readForm(ask);
	expect(form.map(({ id, isRequired }) => [id, isRequired])).toEqual([
		['email', true],
		['first_name', false],
		['last_name', false],
	]);
});

test.each(['apiToken', 'accessToken'] as const)('a 401 of an %s', (kind) => {
	const { status, headers, body } = unauthorized[kind];
	const verdict = afterResponse(request, { status, headers: headers, body }, [], 0);
	const failure = 'failure' in verdict ? verdict.failure : undefined;
	expect(failure).toMatchObject({ cause: 'unauthorized', status: 401 });
	expect(verdict.kind).toBe('failed');
	expect(failure && failureText(failure, {}).title).toMatch(/401/);
});

test('a job of 127 people that was accepted', () => {
	expect(readJob(jobAccepted)).toEqual({
		id: jobAccepted.id,
		status: 'processing',
		isFinal: false,
		total: 127,
		processed: 0,
		succeeded: 0,
		failed: 0,
	});
});

test('a large workspace: ids of 140 characters, a description in HTML, rates from 0 to 100', async () => {
	const { fields, description, attendanceRates } = largeWorkspace;
	const attributes = { title: 'Course', description, fields };
	const event = asRecord({ id: 'e', type: 'events', attributes });
	const { ask } = fakePlatform(() => ({
		data: { id: sessionId, type: 'sessions', attributes: { event_id: 'e' } },
		included: [event],
	}));
	const { questions: form } = await readForm(ask);
	const ids = fields.map(({ id }) => id);
	expect(form.map(({ id }) => id)).toEqual(ids);
	const longest = ids.at(-1) ?? '';
	expect(longest).toHaveLength(140);
	const values = {
		email: 'ada@example.org',
		[longest]: '93',
		'what_kind_of_adviser_are-you': 'Social',
	};
	const person = readPersonFields(values, {
		questions: form,
		unaskedColumns: 'ignore',
		explicit: new Set(),
		unknownChoices: 'refuse',
		isRegistered: false,
	});
	expect(person.problems).toEqual([]);
	expect(person.fields).toContainEqual({ id: longest, value: '93' });
	expect(person.fields).toContainEqual({ id: 'what_kind_of_adviser_are-you', value: 'Social' });
	expect(whole(event)).toMatchObject({ description });
	for (const attendance_rate of attendanceRates) {
		const attributes = {
			registrant_detail: { attendance_rate, fields: [{ id: longest, value: '93' }] },
		};
		expect(whole({ id: 'p', type: 'people', attributes })).toMatchObject({
			attendance_rate,
			[longest]: '93',
		});
	}
});
