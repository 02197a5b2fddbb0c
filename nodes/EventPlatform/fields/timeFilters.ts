import type { INodeProperties } from 'n8n-workflow';
import { dateField } from './fieldBuilders';

/** The filters by the times at which a record was created and last changed. */
export const createdAndUpdated: INodeProperties[] = [
	dateField('createdSince', 'Only records created at this time or later'),
	dateField('createdUntil', 'Only records created at this time or earlier'),
	dateField('updatedSince', 'Only records last changed at this time or later'),
	dateField('updatedUntil', 'Only records last changed at this time or earlier'),
];
