import { withoutSecrets } from '../access/redact';
import { requestLogOf, type LoggedRequest } from '../access/requestLog';
import type { Platform } from '../platform';
import { schedulingStatus } from '../records/eventRecord';
import { sessionStatus } from '../records/sessionRecord';
import type { Row, Store } from '../store/store';
import { differences, type TraitInWords } from '../world/worldRoutes';
import { cockpitView, type CockpitView } from './cockpit';
import { mask, maskUrl } from './mask';
import { paceOf, type Second } from './pace';

const eventsShown = 8;
const sessionsShown = 30;
const peopleShown = 20;
const rowsShown = 20;

interface Pages {
	page: number;
	pages: number;
	count: number;
}

/** An event with its first sessions. */
interface EventView {
	[column: string]: Row[string] | Row[];
	sessions: Row[];
}

/** How many requests of the month a token has spent. */
interface UsageView {
	/** The API token, or a connection whose key is masked. */
	who: string;
	used: Row[string];
}

/** A request as the page lists it, without secrets in its address. */
interface RequestView extends Pick<
	LoggedRequest,
	'id' | 'time' | 'method' | 'status' | 'tokenKind' | 'durationMs' | 'fault'
> {
	/** The path with the query. */
	target: string;
}

/** The values that the page shows and asks for again every second. */
interface View {
	/** Milliseconds since 1970. */
	now: number;
	/** The changes that somebody has made to the platform. */
	cockpit: CockpitView;
	/** Which platform it is, and how it differs from the one of the specification. */
	world: { name: string; traits: TraitInWords[] };
	/** Requests in a second and in a month, and who has spent them; 0 stands for no limit. */
	limits: { rate: number; monthly: number; used: UsageView[] };
	/** How many people are registered, over all sessions. */
	registrations: number;
	/** The requests of the last minute, second by second. */
	pace: Second[];
	/** The newest requests. */
	requests: RequestView[];
	/** A page of the events, the newest first. */
	events: Pages & { events: EventView[] };
	/** The newest jobs. */
	jobs: Row[];
	/** The newest subscriptions. */
	webhooks: Row[];
	/** The newest deliveries. */
	deliveries: Row[];
}

/** A page of the people of a session. */
interface PeopleView extends Pages {
	/** The newest first. */
	people: Row[];
}

/** Everything the page shows, except who is registered: that is asked for session by session. */
export function viewOf(platform: Platform, eventsPage: number): View {
	const { options } = platform;
	const newest = requestLogOf(platform).all().toReversed();
	return {
		now: platform.now(),
		cockpit: cockpitView(platform),
		world: { name: options.world, traits: differences(options) },
		limits: { rate: options.rate, monthly: options.monthly, used: usage(platform) },
		registrations: registrations(platform),
		pace: paceOf(newest, platform.now()),
		requests: newest.slice(0, rowsShown).map(requestView),
		events: events(platform, eventsPage),
		jobs: jobs(platform),
		webhooks: webhooks(platform),
		deliveries: deliveries(platform),
	};
}

export function peopleOf({ store }: Platform, sessionId: string, page: number): PeopleView {
	const count = countOf(store, 'registrations WHERE session_id = ?', sessionId);
	const pages = pagesOf(count, peopleShown, page);
	const people = store.all(
		`SELECT p.id, p.first_name, p.last_name, p.email, r.role, r.created_at
		FROM registrations r JOIN people p ON p.id = r.person_id
		WHERE r.session_id = ? ORDER BY r.seq DESC LIMIT ? OFFSET ?`,
		sessionId,
		peopleShown,
		pages.page * peopleShown,
	);
	return { ...pages, people };
}

/** The newest first, each with its sessions. */
function events({ store }: Platform, page: number): View['events'] {
	const pages = pagesOf(countOf(store, 'events'), eventsShown, page);
	const rows = store.all(
		`SELECT e.id, e.title, ${schedulingStatus} AS status FROM events e
		ORDER BY e.seq DESC LIMIT ? OFFSET ?`,
		eventsShown,
		pages.page * eventsShown,
	);
	const sessionsOf = (id: string) =>
		store.all(
			`SELECT s.id, s.name, ${sessionStatus} AS status, s.timezone, s.estimated_started_at, s.registrants_count
			FROM sessions s JOIN events e ON e.id = s.event_id
			WHERE s.event_id = ? ORDER BY s.seq LIMIT ?`,
			id,
			sessionsShown,
		);
	return {
		...pages,
		events: rows.map((row) => ({ ...row, sessions: sessionsOf(String(row['id'])) })),
	};
}

function pagesOf(count: number, size: number, page: number): Pages {
	const pages = Math.max(1, Math.ceil(count / size));
	return { page: Math.min(page, pages - 1), pages, count };
}

function jobs({ store }: Platform): Row[] {
	return store.all(`SELECT j.id, j.status, j.total_items, j.total_processed_items, j.total_fail,
		j.total_success, j.created_at_ms, s.name AS session, e.title AS event
		FROM jobs j LEFT JOIN sessions s ON s.id = j.session_id LEFT JOIN events e ON e.id = s.event_id
		ORDER BY j.seq DESC LIMIT 8`);
}

function webhooks({ store }: Platform): Row[] {
	const rows = store.all(
		'SELECT id, url, event, disabled_at FROM webhooks ORDER BY seq DESC LIMIT 20',
	);
	return rows.map((row) => ({ ...row, url: maskUrl(String(row['url'])) }));
}

function deliveries({ store }: Platform): Row[] {
	const rows = store.all(`SELECT id, url, event, status, created_at, next_at,
		json_array_length(attempts) AS attempts,
		json_extract(attempts, '$[#-1].status') AS last_status,
		json_extract(attempts, '$[#-1].error') AS last_error
		FROM webhook_deliveries ORDER BY seq DESC LIMIT 8`);
	return rows.map((row) => ({ ...row, url: maskUrl(String(row['url'])) }));
}

function countOf(store: Store, what: string, ...values: string[]): number {
	return Number(store.get(`SELECT count(*) AS count FROM ${what}`, ...values)?.['count']);
}

/** The sum of the sessions' own counters: counting 100,000 rows every second takes too long. */
function registrations({ store }: Platform): number {
	return Number(store.get('SELECT total(registrants_count) AS count FROM sessions')?.['count']);
}

/** Requests of the month, by token: the API token and each connected account. */
function usage({ store, options }: Platform): UsageView[] {
	if (options.monthly === 0) return [];
	const rows = store.all('SELECT key, used FROM access_quota ORDER BY used DESC LIMIT 5');
	return rows.map(({ key, used }) => ({
		who: key === 'api_token' ? 'API token' : `Connection ${mask(String(key))}`,
		used: used ?? 0,
	}));
}

function requestView({
	id,
	time,
	method,
	path,
	query,
	status,
	...rest
}: LoggedRequest): RequestView {
	const parameters = Object.entries(query).map(
		([name, value]) => `${name}=${String(withoutSecrets(name, value))}`,
	);
	const { tokenKind, durationMs, fault } = rest;
	const target = parameters.length > 0 ? `${path}?${parameters.join('&')}` : path;
	return { id, time, method, target, status, tokenKind, durationMs, fault };
}
