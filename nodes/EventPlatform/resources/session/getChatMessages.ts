import type { Operation } from '../operation';
import { listFields } from '../../parameters/recordFields';
import { sessionLocator } from '../../parameters/locators';
import { manyRecords } from '../records';
import { pathTo } from '../../core/http/path';

export const getChatMessages: Operation = {
	value: 'getChatMessages',
	action: 'Get chat messages of session',
	description: 'Retrieve the chat messages of a session',
	fields: [sessionLocator, ...listFields('chat_messages')],
	overlapping: true,
	run: (visit) => manyRecords(visit, pathTo`/sessions/${visit.read.id('sessionId')}/chat_messages`),
};
