import type { INodeProperties } from 'n8n-workflow';
import { dateField } from './fieldBuilders';

/** The filters by the times at which a record was created and last changed. */
export const createdAndUpdated: INodeProperties[] = [
	dateField('createdSince', 'Created at this time or later'),
	dateField('createdUntil', 'Created at this time or earlier'),
	dateField('updatedSince', 'Last changed at this time or later'),
	dateField('updatedUntil', 'Last changed at this time or earlier'),
];
