import { createHash } from 'node:crypto';
import type { Platform } from '../platform';
import { trackingOf } from '../registration/submission';
import { type Seeded, isHeld, sessionSeconds } from './events';
import { attendanceOf, notHeld } from './attendance';
import { seededId } from './ids';
import { seedWords } from './words';

const firstNames = ['Ada', 'Grace', 'Alan', 'Katherine', 'Edsger', 'Barbara', 'Donald', 'Radia'];
const lastNames = ['Moreau', 'Silva', 'Tanaka', 'Novak', 'Okafor', 'Larsen', 'Rossi', 'Haddad'];

/** Eight of ten seeded people are in the first upcoming session, and two in the next others. */
const inFirst = 8;

export function seedPeople(platform: Platform, sessions: readonly Seeded[], count: number): void {
	const first = sessions.find((session) => session.status === 'upcoming' && !session.draft);
	const others = sessions.filter((session) => session !== first && session.status !== 'canceled');
	for (let number = 1; number <= count; number++) {
		const next = others[number % Math.max(others.length, 1)];
		const session = number % 10 < inFirst ? (first ?? next) : (next ?? first);
		if (!session) return;
		const key = (nth: number, seed: readonly string[]) => seed[nth % seed.length] ?? '';
		const id = seedPerson(platform, session, {
			number,
			email: `person${number}@example.com`,
			firstName: key(number, firstNames),
			lastName: key(Math.floor(number / firstNames.length), lastNames),
		});
		if (isHeld(session)) seedWords(platform, session, id, number);
	}
}

interface SeededPerson {
	number: number;
	email: string;
	firstName: string;
	lastName: string;
	role?: 'participant' | 'team_member';
}

export function seedPerson(platform: Platform, session: Seeded, person: SeededPerson): string {
	const { store } = platform;
	const { number, email, firstName, lastName, role = 'participant' } = person;
	const id = seededId('person', number);
	const held = isHeld(session);
	// A person is created in the day before a session that was held, else a month ago.
	const from = held ? session.startedAt - 86_400 : Math.floor(platform.now() / 1000) - 30 * 86_400;
	const created = from + (number % 86_400);
	const times = { created_at: created, updated_at: created };
	store.insert('people', {
		id,
		role,
		email,
		email_key: email,
		first_name: firstName,
		last_name: lastName,
		avatar_link: null,
		timezone: 'Europe/Paris',
		...times,
	});
	const attendance = held ? attendanceOf(number) : notHeld;
	store.insert('registrations', {
		session_id: session.id,
		event_id: session.eventId,
		person_id: id,
		role,
		fields: JSON.stringify([
			{ id: 'email', type: 'text', value: email, required: true },
			{ id: 'first_name', type: 'text', value: firstName, required: true },
			{ id: 'last_name', type: 'text', value: lastName, required: true },
		]),
		tracking: JSON.stringify(trackingOf(originOf(number))),
		password_key: createHash('sha256').update(email).digest('hex').slice(0, 24),
		registration_type: 'page',
		attended: Number(attendance.attended),
		attendance_rate: attendance.rate,
		attendance_duration: (attendance.rate * sessionSeconds) / 100,
		votes_count: attendance.votes,
		up_votes_count: attendance.upVotes,
		has_viewed_replay: Number(attendance.hasViewedReplay),
		...times,
	});
	return id;
}

/** The people of a session came by different links. */
function originOf(number: number): Parameters<typeof trackingOf>[0] {
	return origins[(number + Math.floor(number / 10)) % origins.length] ?? {};
}

/** The links that people came by. */
const origins: ReadonlyArray<Parameters<typeof trackingOf>[0]> = [
	{ utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'autumn-release' },
	{ utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'last-seats' },
	{
		utm_source: 'linkedin',
		utm_medium: 'social',
		utm_campaign: 'autumn-release',
		referrer: 'https://www.linkedin.com/feed/',
	},
	{
		utm_source: 'partner',
		utm_medium: 'referral',
		utm_campaign: 'partner-webinar',
		referrer: 'https://partner.example/blog/webinar',
	},
	{ referrer: 'https://www.example.com/' },
];
