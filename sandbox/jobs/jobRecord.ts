import type { ApiRecord, Platform } from '../platform';
import { notFound } from '../refusal';
import type { Row } from '../store/store';

/** Section 2.1, flat: the answer to GET /jobs/:id, and what job.ended delivers. */
export function jobRecord(row: Row): ApiRecord {
	return {
		type: 'jobs',
		id: String(row['id']),
		attributes: {
			status: row['status'],
			total_items: row['total_items'],
			total_processed_items: row['total_processed_items'],
			total_fail: row['total_fail'],
			total_success: row['total_success'],
		},
	};
}

export function findJob(platform: Platform, id: string): Row {
	const row = platform.store.get('SELECT * FROM jobs WHERE id = ?', id);
	if (!row) throw notFound('job', id);
	return row;
}
