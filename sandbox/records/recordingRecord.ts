import { fileLink } from '../files/fileRoutes';
import type { ApiRecord, Platform } from '../platform';
import type { Row } from '../store/store';

/** How long a link to a recording is good, unless the request says otherwise. */
export const linkSeconds = 43_200;

export function recordingRecord(platform: Platform, row: Row, expiresIn = linkSeconds): ApiRecord {
	const generatedAt = Math.floor(platform.now() / 1000);
	return {
		id: String(row['id']),
		type: 'recordings',
		attributes: {
			event_id: row['event_id'],
			session_id: row['session_id'],
			file_type: row['file_type'],
			mime_type: row['mime_type'],
			file_size: row['file_size'],
			file_name: row['file_name'],
			url: fileLink(platform.filesRoot(), String(row['id']), generatedAt + expiresIn),
			url_generated_at: generatedAt,
			url_expires_in: expiresIn,
			created_at: row['created_at'],
			updated_at: row['updated_at'],
		},
	};
}
