import type { Platform } from '../platform';
import { attendanceOf } from './attendance';
import type { Seeded } from './events';
import { seededId } from './ids';

/** The people of `--seed-people` say this. */
const messages = ['Hello everybody', 'That was helpful', 'Thank you!'];
const questions = ['Will the slides be shared?', 'Is there a free plan?', 'Can we invite guests?'];

/** Numbers far above those of the first session's own questions and messages, so that the two never meet. */
const firstNumber = 1_000_000;

/** The chat messages and questions of a person at a session that was held, as many as the person's attendance says. */
export function seedWords(
	platform: Platform,
	session: Seeded,
	personId: string,
	number: number,
): void {
	const attendance = attendanceOf(number);
	for (let nth = 0; nth < attendance.messages; nth++) {
		const text = messages[nth % messages.length] ?? '';
		platform.store.insert('chat_messages', {
			id: seededId('message', firstNumber + number * 10 + nth),
			author_id: personId,
			text_content: text,
			html_content: `<p>${text}</p>`,
			from_guest_speaker: 0,
			from_team_member: 0,
			...common(session, 300 + ((number * 7 + nth) % 3_000)),
		});
	}
	for (let nth = 0; nth < attendance.questions; nth++) {
		const askedAt = 300 + ((number * 11) % 2_700);
		const isAnswered = number % 2 === 0;
		platform.store.insert('questions', {
			id: seededId('question', firstNumber + number * 10 + nth),
			question: questions[number % questions.length] ?? '',
			response: isAnswered ? 'Yes.' : null,
			responded_at: isAnswered ? session.startedAt + askedAt + 60 : 0,
			responder_id: null,
			question_author_id: personId,
			...common(session, askedAt),
		});
	}
}

/** The columns that a message and a question have in common. */
function common(session: Seeded, secondsIn: number): Record<string, string | number> {
	return {
		session_id: session.id,
		event_id: session.eventId,
		created_at: session.startedAt + secondsIn,
		updated_at: session.startedAt + secondsIn,
	};
}
