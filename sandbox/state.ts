import { jobRecord } from './jobs/jobRecord';
import type { Platform } from './platform';
import { selectSessions, sessionRecord } from './records/sessionRecord';

const counted = ['events', 'sessions', 'people', 'registrations', 'jobs', 'webhooks'];
const shownSessions = 100;
const shownJobs = 100;

/** GET /_sandbox/state: what is in the sandbox now, newest jobs first. */
export function overview(platform: Platform): Record<string, unknown> {
	const { store, workspace, violations } = platform;
	const count = (table: string) => Number(store.get(`SELECT count(*) AS n FROM ${table}`)?.['n']);
	const jobs = store.all('SELECT * FROM jobs ORDER BY seq DESC LIMIT ?', shownJobs);
	return {
		workspace: { ...workspace },
		counts: Object.fromEntries(counted.map((table) => [table, count(table)])),
		sessions: store
			.all(`${selectSessions} ORDER BY s.seq LIMIT ?`, shownSessions)
			.map((row) =>
				shortly(sessionRecord(row), [
					'event_id',
					'name',
					'status',
					'estimated_started_at',
					'registrants_count',
					'attendees_count',
				]),
			),
		jobs: jobs.map((row) => ({
			id: row['id'],
			session_id: row['session_id'],
			...jobRecord(row).attributes,
			created_at_ms: row['created_at_ms'],
			ended_at_ms: row['ended_at_ms'],
		})),
		webhooks: store.all('SELECT id, url, event, disabled_at FROM webhooks ORDER BY seq'),
		violations: [...violations],
	};
}

function shortly({ id, attributes }: { id: string; attributes: object }, names: string[]) {
	const entries = Object.entries(attributes).filter(([name]) => names.includes(name));
	return { id, ...Object.fromEntries(entries) };
}
