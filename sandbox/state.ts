import { jobRecord } from './jobs/jobRecord';
import type { Platform } from './platform';
import { eventRecord, selectEvents } from './records/eventRecord';
import { selectSessions, sessionRecord } from './records/sessionRecord';

const counted = ['events', 'sessions', 'people', 'registrations', 'jobs', 'webhooks'];
const shownEvents = 100;
const shownJobs = 100;
const deliveries = 'SELECT status, count(*) AS count FROM webhook_deliveries GROUP BY status';

/** GET /_sandbox/state: what is in the sandbox now, newest jobs first. */
export function overview(platform: Platform): Record<string, unknown> {
	const { store, workspace, violations } = platform;
	const count = (table: string) => Number(store.get(`SELECT count(*) AS n FROM ${table}`)?.['n']);
	const jobs = store.all('SELECT * FROM jobs ORDER BY seq DESC LIMIT ?', shownJobs);
	return {
		workspace: { ...workspace },
		counts: Object.fromEntries(counted.map((table) => [table, count(table)])),
		events: store
			.all(`${selectEvents} ORDER BY e.seq LIMIT ?`, shownEvents)
			.map((row) => shortly(eventRecord(row), ['title', 'scheduling_status'])),
		sessions: store
			.all(`${selectSessions} ORDER BY s.seq LIMIT ?`, shownEvents)
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
		deliveries: Object.fromEntries(
			store.all(deliveries).map(({ status, count }) => [String(status), Number(count)]),
		),
	};
}

function shortly({ id, attributes }: { id: string; attributes: object }, names: string[]) {
	const entries = Object.entries(attributes).filter(([name]) => names.includes(name));
	return { id, ...Object.fromEntries(entries) };
}
