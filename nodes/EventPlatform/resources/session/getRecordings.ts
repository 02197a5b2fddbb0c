import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../operation';
import { listFields } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { sessionLocator } from '../../parameters/locators';
import { manyRecords } from '../records';
import { pathTo } from '../../core/http/path';

const urlExpiresIn: INodeProperties = {
	displayName: 'Link Lifetime (Seconds)',
	name: 'urlExpiresIn',
	type: 'number',
	typeOptions: { minValue: 3600 },
	default: 3600,
	description: 'How long the links to the files work, from 3600 (an hour) to 604800 (a week)',
};

/** Recordings with links to their files. */
export const getRecordings: Operation = {
	value: 'getRecordings',
	name: 'Get Recordings',
	action: 'Get the recordings of a session',
	description: 'Retrieve the recordings of a session, with links to the files',
	fields: [sessionLocator, ...listFields, recordOptions('recordings', urlExpiresIn)],
	overlapping: true,
	run(visit) {
		const { read } = visit;
		return manyRecords(
			visit,
			pathTo`/sessions/${read.id('sessionId')}/recordings`,
			read.query('urlExpiresIn'),
		);
	},
};
