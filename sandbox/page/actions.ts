import { askQuestion, changeSession, watchReplay, type SessionChange } from '../live';
import type { Platform } from '../platform';
import { publishNewEvent } from '../records/events';
import { findEvent, findSession, findSessionPerson } from '../records/find';
import { withdraw } from '../records/people';
import { selectRegistrations } from '../records/personRecord';
import { sessionStatus } from '../records/sessionRecord';
import { Refusal } from '../refusal';
import { fillSession } from '../registration/fullSessions';
import { openSession, register } from '../registration/register';
import type { Submission } from '../registration/submission';

/** A button that lets something happen once. A sentence says afterwards what happened. */
export interface Action {
	title: string;
	words: string;
	act(platform: Platform): string;
}

const refusedRequests = 20;

export const actions: Record<string, Action> = {
	register: {
		title: 'Register somebody',
		words: 'Somebody registers for the next session. people.registered is delivered.',
		act: (platform) => registerVisitor(platform),
	},
	campaign: {
		title: 'Register by campaign',
		words: 'The same with the UTM values of a newsletter and a referrer, for reports by campaign.',
		act: (platform) =>
			registerVisitor(platform, {
				referrer: 'https://news.example.net/november',
				utm_source: 'newsletter',
				utm_medium: 'email',
				utm_campaign: 'november',
			}),
	},
	unregister: {
		title: 'Unregister somebody',
		words:
			'The last person who registered for the next session is unregistered. Nothing is delivered.',
		act: unregisterLatest,
	},
	start: {
		title: 'Start the next session',
		words: 'The session goes live. session.started is delivered.',
		act: (platform) => change(platform, 'upcoming', 'start', 'is live'),
	},
	end: {
		title: 'End the live session',
		words:
			'The one that was started last. Two of three people have attended. session.ended and one delivery for each person follow.',
		act: (platform) => change(platform, 'live', 'end', 'has ended'),
	},
	cancel: {
		title: 'Cancel the next session',
		words:
			'Nobody can register for it any more. Nothing is delivered: the polling trigger finds it.',
		act: (platform) => change(platform, 'upcoming', 'cancel', 'is canceled'),
	},
	move: {
		title: 'Move the next session',
		words: 'It begins an hour later. Nothing is delivered: the polling trigger finds it.',
		act: moveNext,
	},
	fill: {
		title: 'Fill the next session',
		words: 'Registrations for it are refused with 422, until you start over.',
		act(platform) {
			const id = sessionThatIs(platform, 'upcoming');
			fillSession(platform.store, id);
			return `${titleOf(platform, id)} is full.`;
		},
	},
	ask: {
		title: 'Ask a question',
		words:
			'A registrant of the live session asks, or of the one that ended last. Nothing is delivered: the polling trigger finds it.',
		act: askInSession,
	},
	replay: {
		title: 'Watch a replay',
		words:
			'Somebody watches the replay of the session that ended last. people.watched_replay is delivered.',
		act: watchLatestReplay,
	},
	publish: {
		title: 'Publish an event',
		words: 'A new event is published. event.created and event.published are delivered.',
		act(platform) {
			const id = publishNewEvent(platform, 'Questions and answers');
			return `The event "${String(findEvent(platform, id)['title'])}" is published. It has no session yet.`;
		},
	},
	refuse: {
		title: `Refuse ${refusedRequests} requests`,
		words:
			'The next requests are answered with 429, and the node sends them again. A run that sends several at once takes about a minute longer and says so in a hint; one that begins with a single request gives up after 15 refusals.',
		act({ faults }) {
			faults.add([{ match: { path: '/v1/*' }, after: 0, times: refusedRequests, do: '429' }]);
			return `The next ${refusedRequests} requests are answered with 429.`;
		},
	},
	lose: {
		title: 'Lose an answer',
		words: 'The next registration (one person or in bulk) is made, but then the connection breaks.',
		act({ faults }) {
			const match = { method: 'POST', path: '/v1/sessions/:id/people*' };
			faults.add([{ match, after: 0, times: 1, do: 'reset-after' }]);
			return 'The answer to the next registration will be lost.';
		},
	},
	reset: {
		title: 'Start over',
		words:
			'The sandbox is as it was at its start. What you created is deleted; sample people that were added later go, too.',
		act(platform) {
			platform.reset();
			return 'Everything is as it was at the start.';
		},
	},
};

/** Registers somebody of a new address for the next session. */
function registerVisitor(platform: Platform, tracking: Omit<Submission, 'fields'> = {}): string {
	const id = sessionThatIs(platform, 'upcoming');
	const session = openSession(platform, id);
	if ('code' in session) throw new Refusal(409, `${session.message}.`);
	const sentEmail = `visitor-${platform.now()}@example.net`;
	const answers = {
		email: sentEmail,
		first_name: 'Vera',
		last_name: 'Visitor',
		company: 'Acme',
	};
	const fields = Object.entries(answers).map(([field, value]) => ({ id: field, value }));
	const person = platform.store.transaction(() =>
		register(platform, session, { fields, ...tracking }),
	);
	// A public event makes another email up.
	const email = Array.isArray(person) ? sentEmail : String(person.attributes['email']);
	return `${email} is registered for ${titleOf(platform, id)}.`;
}

/** Lets the first registrant of the session that ended last watch its replay, who has not watched it yet. */
function watchLatestReplay(platform: Platform): string {
	const sql = `SELECT r.session_id, r.person_id FROM registrations r
		JOIN sessions s ON s.id = r.session_id JOIN events e ON e.id = s.event_id
		WHERE ${sessionStatus} = 'past' AND r.role = 'participant' AND r.has_viewed_replay = 0
		ORDER BY s.ended_at DESC, r.seq LIMIT 1`;
	const row = platform.store.get(sql);
	if (!row) {
		throw new Refusal(
			409,
			'Nobody is left who could watch a replay. Let a session with registrants end, or start over.',
		);
	}
	const [sessionId, personId] = [String(row['session_id']), String(row['person_id'])];
	watchReplay(platform, sessionId, personId);
	const { email } = findSessionPerson(platform, sessionId, personId);
	return `${String(email)} watched the replay of ${titleOf(platform, sessionId)}.`;
}

function change(platform: Platform, from: SessionStatus, to: SessionChange, words: string): string {
	const id = sessionThatIs(platform, from);
	changeSession(platform, id, to);
	return `${titleOf(platform, id)} ${words}.`;
}

const hourSeconds = 3_600;

function moveNext(platform: Platform): string {
	const id = sessionThatIs(platform, 'upcoming');
	const { estimated_started_at: plannedAt } = findSession(platform, id);
	const now = Math.floor(platform.now() / 1_000);
	const start = Number(plannedAt) + hourSeconds;
	platform.store.update('sessions', id, { estimated_started_at: start, updated_at: now });
	return `${titleOf(platform, id)} begins an hour later.`;
}

/** The order in which a session of each status is found: the one that comes next, that was started last, or that ended last. */
const orders = {
	upcoming: 's.estimated_started_at, s.seq',
	live: 's.started_at DESC, s.seq DESC',
	past: 's.ended_at DESC, s.seq DESC',
};

type SessionStatus = keyof typeof orders;

function sessionThatIs(platform: Platform, status: SessionStatus): string {
	const id = findSessionThatIs(platform, status);
	if (id === undefined) {
		throw new Refusal(409, `No session is ${status}. Start over to have one again.`);
	}
	return id;
}

function findSessionThatIs({ store }: Platform, status: SessionStatus): string | undefined {
	const sql = `SELECT s.id FROM sessions s JOIN events e ON e.id = s.event_id
		WHERE ${sessionStatus} = ? ORDER BY ${orders[status]} LIMIT 1`;
	const row = store.get(sql, status);
	return row && String(row['id']);
}

function askInSession(platform: Platform): string {
	const id = findSessionThatIs(platform, 'live') ?? sessionThatIs(platform, 'past');
	const question = 'May we have the slides?';
	askQuestion(platform, id, question);
	return `Somebody asked in ${titleOf(platform, id)}: ${question}`;
}

function unregisterLatest(platform: Platform): string {
	const id = sessionThatIs(platform, 'upcoming');
	const row = platform.store.get(
		`${selectRegistrations} WHERE r.session_id = ? AND r.role = 'participant' ORDER BY r.seq DESC LIMIT 1`,
		id,
	);
	if (!row) throw new Refusal(409, `Nobody is registered for ${titleOf(platform, id)}.`);
	withdraw(platform, row);
	return `${String(row['email'])} is not registered for ${titleOf(platform, id)} any more.`;
}

function titleOf(platform: Platform, sessionId: string): string {
	const { event_id: eventId, name } = findSession(platform, sessionId);
	const { title } = findEvent(platform, String(eventId));
	return [title, name].filter(Boolean).join(', ');
}
