import type { Platform } from '../platform';
import { defaultSwitches } from '../records/eventRecord';
import { seededId } from './ids';
import { type SeededEvent, type SeededSession, plan } from './plan';

export interface Seeded {
	id: string;
	eventId: string;
	status: SeededSession['status'];
	draft: boolean;
	/** When it is planned to start, or did. */
	startedAt: number;
}

const daySeconds = 86_400;
export const sessionSeconds = 3_600;

/** The users, and the first `count` events of the plan with their sessions. */
export function seedEvents(platform: Platform, count: number): Seeded[] {
	seedUsers(platform);
	const sessions: Seeded[] = [];
	for (let number = 1; number <= count; number++) {
		const event = plan[(number - 1) % plan.length];
		if (event) sessions.push(...seedEvent(platform, event, number, sessions.length));
	}
	return sessions;
}

function seedEvent(platform: Platform, event: SeededEvent, number: number, before: number) {
	const { store } = platform;
	const today = midnight(platform);
	const round = Math.ceil(number / plan.length);
	const id = seededId('event', number);
	const created = today - 90 * daySeconds + (number % 1000) * 60;
	store.insert('events', {
		id,
		title: round === 1 ? event.title : `${event.title} (${round})`,
		slug: `event-${number}`,
		description: event.description,
		status: event.draft ? 'draft' : 'published',
		language: 'en',
		owner_id: seededId('user', 1),
		estimated_duration: sessionSeconds / 60,
		switches: JSON.stringify(defaultSwitches),
		fields: JSON.stringify(event.form),
		published_at: event.draft ? 0 : created + 600,
		created_at: created,
		updated_at: created + 600,
	});
	for (const title of event.tags) seedTag(platform, id, title);
	return event.sessions.map((session, index): Seeded => {
		const sessionId = seededId('session', before + index + 1);
		const times = timesOf(session, today, Math.floor(platform.now() / 1000));
		store.insert('sessions', {
			id: sessionId,
			event_id: id,
			name: session.name,
			timezone: session.timezone,
			on_demand: Number(session.status === 'on_demand'),
			...times,
			created_at: created,
			updated_at: created,
		});
		const { status } = session;
		const startedAt = times.estimated_started_at;
		return { id: sessionId, eventId: id, status, draft: event.draft === true, startedAt };
	});
}

function timesOf({ status, days }: SeededSession, today: number, now: number) {
	const started = status === 'live' ? now - 600 : today + days * daySeconds + 10 * 3_600;
	const held = isHeld({ status });
	return {
		estimated_started_at: started,
		started_at: held || status === 'live' ? started : 0,
		ended_at: held ? started + sessionSeconds : 0,
		canceled_at: status === 'canceled' ? today - daySeconds : 0,
	};
}

function seedUsers({ store }: Platform): void {
	const users = [
		['owner', 'olivia.owner@example.com', 'Olivia', 'Owner'],
		['moderator', 'marc.moderator@example.com', 'Marc', 'Moderator'],
	] as const;
	for (const [index, [role, email, first_name, last_name]] of users.entries()) {
		store.insert('users', {
			id: seededId('user', index + 1),
			email,
			email_key: email,
			role,
			first_name,
			last_name,
			pending_invite: 0,
			created_at: 1_700_000_000,
			updated_at: 1_700_000_000,
		});
	}
}

function seedTag({ store }: Platform, eventId: string, title: string): void {
	const find = 'SELECT id FROM tags WHERE title = ?';
	if (!store.get(find, title)) {
		const tags = store.all('SELECT id FROM tags').length;
		store.insert('tags', { id: seededId('tag', tags + 1), title });
	}
	store.insert('event_tags', { event_id: eventId, tag_id: store.get(find, title)?.['id'] ?? '' });
}

function midnight(platform: Platform): number {
	return Math.floor(platform.now() / 1000 / daySeconds) * daySeconds;
}

export function isHeld({ status }: Pick<SeededSession, 'status'>): boolean {
	return status === 'past' || status === 'on_demand';
}
