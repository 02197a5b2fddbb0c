import type { Platform } from '../platform';
import { type Seeded, isHeld, sessionSeconds } from './events';
import { seededId } from './ids';
import { comes } from './attendance';
import { seedPerson } from './people';

const questions = [
	['Will there be a replay?', 'Yes, by tomorrow.'],
	['Does it work with my calendar?', 'It does.'],
	['What does the larger plan cost?', null],
] as const;

const messages = [
	['Good morning, everyone!', true],
	['Hello from Lisbon', false],
	['The sound is fine here <3', false],
	['We start in a minute', true],
] as const;

/** Numbers far above those of --seed-people, so that the two never meet. */
const firstPerson = 900_000_001;

/** The people, questions, messages and recordings of the first session that was held. */
export function seedContent(platform: Platform, sessions: readonly Seeded[]): void {
	const session = sessions.find(isHeld);
	if (!session) return;
	const people = ['Ines Gray', 'Noah Stone', 'Mia Rivers', 'Leo Hart', 'Zoe Field'].map(
		(name, index) => {
			const [firstName = '', lastName = ''] = name.split(' ');
			const email = `${firstName}.${lastName}@example.org`.toLowerCase();
			const role = index === 0 ? 'team_member' : 'participant';
			const number = firstPerson + index;
			return seedPerson(platform, session, { number, email, firstName, lastName, role });
		},
	);
	const { store } = platform;
	const present = people.filter((_, index) => comes(firstPerson + index));
	const someone = (index: number) => present[index % present.length] ?? '';
	const common = (at: number) => ({
		session_id: session.id,
		event_id: session.eventId,
		created_at: session.startedAt + at,
		updated_at: session.startedAt + at,
	});

	for (const [index, [question, response]] of questions.entries()) {
		store.insert('questions', {
			id: seededId('question', index + 1),
			question,
			response,
			responded_at: response === null ? 0 : session.startedAt + 600 * (index + 1) + 60,
			responder_id: response === null ? null : someone(0),
			question_author_id: someone(index + 1),
			...common(600 * (index + 1)),
		});
	}
	for (const [index, [text, fromTeam]] of messages.entries()) {
		store.insert('chat_messages', {
			id: seededId('message', index + 1),
			author_id: fromTeam ? someone(0) : someone(index),
			text_content: text,
			html_content: `<p>${text.replaceAll('<', '&lt;')}</p>`,
			from_guest_speaker: 0,
			from_team_member: Number(fromTeam),
			...common(60 * index),
		});
	}
	for (const [index, type] of ['video', 'audio'].entries()) {
		store.insert('recordings', {
			id: seededId('recording', index + 1),
			file_type: type,
			mime_type: type === 'video' ? 'mp4' : 'mp3',
			file_size: platform.options.recordingBytes,
			file_name: `session.${type === 'video' ? 'mp4' : 'mp3'}`,
			...common(sessionSeconds + 600),
		});
	}
}
