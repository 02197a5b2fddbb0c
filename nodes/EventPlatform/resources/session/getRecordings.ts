import type { Operation } from '../operation';
import { numberField } from '../../parameters/field';
import { listOf } from '../records';

const urlExpiresIn = numberField(
	'urlExpiresIn',
	3600,
	'How long the links to the files work, from 3600 (an hour) to 604800 (a week)',
	{ displayName: 'Link Lifetime (Seconds)', typeOptions: { minValue: 3600 } },
);

export const getRecordings: Operation = {
	value: 'getRecordings',
	action: 'Get recordings of session',
	description: 'Retrieve the recordings of a session, with links to the files',
	...listOf('recordings', '/sessions/{sessionId}/recordings', { options: [urlExpiresIn] }),
};
