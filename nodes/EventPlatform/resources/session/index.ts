import type { Resource } from '../operation';
import { create } from './create';
import { deleteSession } from './delete';
import { downloadRecording } from './downloadRecording';
import { get } from './get';
import { getAll } from './getAll';
import { getChatMessages } from './getChatMessages';
import { getPeople } from './getPeople';
import { getQuestions } from './getQuestions';
import { getRecordings } from './getRecordings';
import { update } from './update';

export const session: Resource = {
	value: 'session',
	name: 'Session',
	description: 'One date of an event, which people register for',
	operations: [
		create,
		deleteSession,
		downloadRecording,
		get,
		getChatMessages,
		getAll,
		getPeople,
		getQuestions,
		getRecordings,
		update,
	],
	initial: getAll,
};
