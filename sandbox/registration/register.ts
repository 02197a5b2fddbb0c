import { randomBytes, randomUUID } from 'node:crypto';
import type { ApiRecord, Platform } from '../platform';
import { type FormField, formOf } from '../records/eventRecord';
import { selectRegistrations, sessionPersonRecord } from '../records/personRecord';
import { findEvent } from '../records/find';
import { selectSessions } from '../records/sessionRecord';
import type { Problem } from '../refusal';
import { isFull } from './fullSessions';
import { type Answers, type Submission, readSubmission } from './submission';

export interface OpenSession {
	id: string;
	eventId: string;
	form: readonly FormField[];
}

/** The session with the form of its event, or why nobody can register for it any more. */
export function openSession(platform: Platform, id: string): OpenSession | Problem {
	const row = platform.store.get(`${selectSessions} WHERE s.id = ?`, id);
	if (!row) return { code: 'session_not_found', message: `There is no session '${id}'` };
	const status = String(row['status']);
	if (status === 'past' || status === 'canceled') {
		const what = status === 'past' ? 'is over' : 'was canceled';
		return {
			code: `session_${status}`,
			message: `The session ${what}: nobody can register for it`,
		};
	}
	if (isFull(platform.store, id)) {
		return { code: 'session_full', message: 'The session is full: nobody can register for it' };
	}
	const eventId = String(row['event_id']);
	return { id, eventId, form: formToAnswer(platform, formOf(findEvent(platform, eventId))) };
}

/** A public event does not ask for the email. */
export function formToAnswer(
	{ options }: Platform,
	form: readonly FormField[],
): readonly FormField[] {
	return options.publicEvent ? form.filter(({ id }) => id !== 'email') : form;
}

/** Registers one person and says so to the webhooks; or the problems that forbid it. */
export function register(
	platform: Platform,
	session: OpenSession,
	submission: Submission,
): ApiRecord | Problem[] {
	const now = Math.floor(platform.now() / 1000);
	const madeUp = platform.options.publicEvent
		? `${now}+${randomUUID()}@unknown.livestorm.co`
		: undefined;
	const answers = readSubmission(session.form, submission, madeUp);
	if (Array.isArray(answers)) return answers;
	const { store } = platform;
	const personId = rememberPerson(platform, answers, now);
	const taken = 'SELECT 1 FROM registrations WHERE session_id = ? AND person_id = ?';
	if (store.get(taken, session.id, personId)) {
		return [
			{
				code: 'already_registered',
				message: `${answers.email} is already registered for this session`,
			},
		];
	}
	store.insert('registrations', {
		session_id: session.id,
		event_id: session.eventId,
		person_id: personId,
		role: 'participant',
		fields: JSON.stringify(answers.fields),
		tracking: JSON.stringify(answers.tracking),
		password_key: randomBytes(12).toString('hex'),
		registration_type: 'API',
		created_at: now,
		updated_at: now,
	});
	const sql = `${selectRegistrations} WHERE r.session_id = ? AND r.person_id = ?`;
	const person = sessionPersonRecord(store.get(sql, session.id, personId) ?? {});
	platform.announce('people.registered', person);
	return person;
}

/** One person per address in the workspace; a later registration replaces the names. */
function rememberPerson(platform: Platform, answers: Answers, now: number): string {
	const { store } = platform;
	const { email, emailKey, firstName, lastName } = answers;
	const person = store.get('SELECT * FROM people WHERE email_key = ?', emailKey);
	if (!person) {
		const id = randomUUID();
		store.insert('people', {
			id,
			role: 'participant',
			email,
			email_key: emailKey,
			first_name: firstName,
			last_name: lastName,
			avatar_link: null,
			timezone: null,
			created_at: now,
			updated_at: now,
		});
		return id;
	}
	const names = {
		first_name: firstName ?? person['first_name'] ?? null,
		last_name: lastName ?? person['last_name'] ?? null,
	};
	const id = String(person['id']);
	if (names.first_name !== person['first_name'] || names.last_name !== person['last_name']) {
		store.update('people', id, { ...names, updated_at: now });
	}
	return id;
}
