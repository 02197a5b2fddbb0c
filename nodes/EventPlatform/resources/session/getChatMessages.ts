import type { Operation } from '../operation';
import { listFields } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { sessionLocator } from '../../parameters/locators';
import { manyRecords } from '../records';
import { pathTo } from '../../core/http/path';

/** What was written in the chat of a session. */
export const getChatMessages: Operation = {
	value: 'getChatMessages',
	name: 'Get Chat Messages',
	action: 'Get chat messages of session',
	description: 'Retrieve the chat messages of a session',
	fields: [sessionLocator, ...listFields, recordOptions('chat_messages')],
	overlapping: true,
	run(visit) {
		return manyRecords(visit, pathTo`/sessions/${visit.read.id('sessionId')}/chat_messages`);
	},
};
