import type { Operation } from '../operation';
import { listOf } from '../records';

export const getChatMessages: Operation = {
	value: 'getChatMessages',
	action: 'Get chat messages of session',
	description: 'Retrieve the chat messages of a session',
	...listOf('chat_messages', '/sessions/{sessionId}/chat_messages'),
};
