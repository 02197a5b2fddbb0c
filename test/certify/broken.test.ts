import type { TestSandbox } from '../support/platform/sandbox';
import {
	rewritingProxy,
	type Fault,
	type PassedBack,
	type Passing,
	type RewritingProxy,
} from './rewritingProxy';
import { certified, fullSandbox, idsOf } from './certifyRun';

const refusal = (status: number): PassedBack => ({
	status,
	headers: { 'content-type': 'application/json' },
	body: { errors: [{ title: 'No', detail: 'No', code: 'no', status: String(status) }] },
});

/** Changes requests, which are told by their call. */
const asked = (of: RegExp, change: (request: Passing) => unknown): Fault => ({
	there: (request) => void (of.test(request.call) && change(request)),
});

const refused = (of: RegExp, status: number, when: (request: Passing) => boolean): Fault => ({
	there: (request) => (of.test(request.call) && when(request) ? refusal(status) : undefined),
});

type Back = (answer: PassedBack, request: Passing) => unknown;

/** Changes answers, whatever their status. */
const answered = (of: RegExp, change: Back): Fault => ({
	back: (answer, request) => void (of.test(request.call) && change(answer, request)),
});

const succeeded = (of: RegExp, change: Back): Fault =>
	answered(of, (answer, request) => answer.status < 300 && change(answer, request));

const failed = (of: RegExp, change: Back): Fault =>
	answered(of, (answer, request) => answer.status >= 400 && change(answer, request));

/** Puts a value at a place in the body of what succeeded, or what a function makes of the one that is there. */
const put = (of: RegExp, place: string, value: unknown): Fault =>
	succeeded(of, ({ body }) => set(body, place, value));

/** Sets a value at a place, in which `*` is the only record or each of a list. `undefined` takes away the old value. */
function set(body: unknown, place: string, value: unknown): void {
	if (typeof body !== 'object' || body === null) return;
	const [name = '', ...rest] = place.split('.');
	const all = body as Record<string, unknown>;
	if (name === '*') [body].flat().forEach((record) => set(record, rest.join('.'), value));
	else if (rest.length > 0) set(all[name], rest.join('.'), value);
	else {
		all[name] =
			typeof value === 'function' ? (value as (old: unknown) => unknown)(all[name]) : value;
	}
}

/** A header of every answer becomes what this makes of it. */
const headed = (name: string, value: (old?: string) => string): Fault =>
	answered(everything, ({ headers }) => (headers[name] = value(headers[name])));

/** Those answers have another status. */
const turned = (
	of: RegExp,
	from: number,
	to: number,
	when: (request: Passing) => boolean = () => true,
): Fault =>
	answered(of, (answer, request) => {
		if (answer.status === from && when(request)) answer.status = to;
	});

/** The list itself, to be changed. */
function listIn(body: unknown): Array<Record<string, unknown>> {
	const { data } = body as { data?: Array<Record<string, unknown>> };
	return data ?? [];
}

const holds = (text: string) => (request: Passing) => JSON.stringify(request.body).includes(text);

const everything = /^/;
const people = /^GET \/people$/;
const events = /^GET \/events$/;
const registering = /^POST .*people$/;
/** A refusal of somebody who is registered already is known by its code. */
const butRegistering = /^(?!POST .*people$)/;
const bulk = /\/bulk$/;
const jobs = /\/bulk$| \/jobs\/[^/]+$/;
const results = /^GET .*\/tasks$/;

/** The row that is about a statement, and how that is broken. */
const faults: Readonly<Record<string, Fault>> = {
	'paging.first': {
		there({ query }) {
			const page = query.get('page[number]');
			if (page !== null) query.set('page[number]', String(Number(page) - 1));
		},
		back({ body, status }, { call }) {
			if (!call.startsWith('GET') || status >= 300) return;
			for (const name of ['current_page', 'previous_page', 'next_page']) {
				set(body, `meta.${name}`, (page: unknown) => (page === null ? null : Number(page) + 1));
			}
		},
	},
	'paging.larger': refused(everything, 400, ({ query }) => Number(query.get('page[size]')) > 50),
	'paging.size': asked(people, ({ query }) => query.delete('page[size]')),
	'paging.default': asked(
		people,
		({ query }) => query.has('page[size]') || query.set('page[size]', '25'),
	),
	'paging.next': put(people, 'meta.next_page', null),
	'paging.previous': put(people, 'meta.previous_page', (page: unknown) => page ?? 0),
	'paging.beyond': failed(
		people,
		(answer) => answer.status === 400 && Object.assign(answer, { status: 200, body: { data: [] } }),
	),
	'paging.meta': put(people, 'meta.record_count', '120'),
	'paging.count': put(people, 'meta.page_count', (count: number) => count + 1),
	'paging.second': asked(
		people,
		({ query }) => query.get('page[number]') === '1' && query.set('page[number]', '0'),
	),
	'paging.filled': succeeded(people, ({ body }) => listIn(body).pop()),
	'listEvents.body': succeeded(events, ({ body }, { query }) => {
		if (query.size > 0) return;
		set(body, 'items', listIn(body));
		set(body, 'data', undefined);
	}),
	'getMe.media': succeeded(/^GET \/me$/, ({ headers }) => (headers['content-type'] = 'text/plain')),
	'Session.times': put(
		/^GET \/sessions(?:\/[^/]+)?$/,
		'data.*.attributes.created_at',
		(seconds: number) => seconds * 1_000,
	),
	'Event.fields': put(events, 'data.*.attributes.language', undefined),
	'Event.types': put(events, 'data.*.attributes.sessions_count', '3'),
	'Session.nulls': put(/^GET \/sessions$/, 'data.*.attributes.timezone', null),
	'PeopleAttribute.words': put(/^GET \/people_attributes$/, 'data.*.attributes.type', 'slider'),
	'Person.parts': put(people, 'data.*.links', {}),
	'records.nulls': put(events, 'data.*.attributes.fields.*.required', null),
	'recordings.link': put(/^GET .*\/recordings$/, 'data.*.attributes.url_expires_in', 43_200),
	'filter.listSessionPeople.email': asked(/^GET \/sessions.*people$/, ({ query }) =>
		query.delete('filter[email]'),
	),
	'filter.listEvents.updated_since': refused(events, 400, ({ query }) =>
		query.has('filter[updated_since]'),
	),
	'include.me-with-organization': asked(/ \/me$/, ({ query }) => query.delete('include')),
	'errors.shape': failed(
		butRegistering,
		(answer) => answer.body !== undefined && (answer.body = { error: 'No' }),
	),
	'errors.fields': failed(butRegistering, ({ status, body }) => {
		set(body, 'errors.*.code', String(status));
		set(body, 'errors.*.status', 'refused');
	}),
	'errors.media': failed(everything, ({ headers }) => (headers['content-type'] = 'text/html')),
	'errors.unknown': refused(/ \/events\/0000/, 410, () => true),
	'limits.headers': answered(everything, ({ headers }) => {
		for (const name of Object.keys(headers)) if (name.startsWith('ratelimit')) delete headers[name];
	}),
	'limits.second': headed('ratelimit-interval-limit', () => '10'),
	'limits.month': headed('ratelimit-monthly-remaining', () => '900000'),
	'limits.reset': headed('ratelimit-reset', (seconds) => `${seconds}000`),
	'limits.clock': headed('date', () => new Date(Date.now() + 300_000).toUTCString()),
	'access.form': {
		there({ headers }) {
			const { authorization = '' } = headers;
			if (!authorization.startsWith('Bearer ')) return refusal(401);
			headers.authorization = authorization.slice('Bearer '.length);
			return undefined;
		},
	},
	'access.other-form': asked(
		everything,
		({ headers }) => (headers.authorization = headers.authorization?.replace('Bearer ', '')),
	),
	'access.none': asked(everything, ({ headers }) => (headers.authorization ??= 'sandbox-token')),
	'createEvent.status': turned(/^POST \/events$/, 201, 200),
	'deleteSessionPerson.status': turned(/^DELETE .*people\/[^/]+$/, 204, 202),
	'session.planned': succeeded(/\/sessions/, ({ status, body }, { call }) => {
		const planned = 'data.attributes.estimated_started_at';
		if (status === 201 && call.endsWith('/sessions')) set(body, planned, 2_128_674_600);
		const isRead = status === 200 && / \/sessions\/[^/]+$/.test(call);
		if (isRead) set(body, planned, (at?: number) => at && at + 7_200);
	}),
	'event.deleted': turned(/^GET \/events\/(?!0000)[^/]+$/, 404, 200),
	'register.again': turned(registering, 409, 201, (request) => !holds('YOU')(request)),
	'register.letters': turned(registering, 409, 201, holds('YOU')),
	'register.unknown-field': turned(registering, 422, 201, holds('no_such')),
	'update.made': asked(/^PATCH/, ({ body }) => set(body, 'data.attributes.fields.0.value', 'Ada')),
	'update.answer': answered(/^PATCH .*people\//, (answer) => Object.assign(answer, refusal(502))),
	'job.flat': succeeded(jobs, (answer) => (answer.body = { data: answer.body })),
	'job.counters': succeeded(jobs, ({ body }) =>
		set(body, 'attributes', (all: Record<string, unknown>) => ({
			status: all['status'],
			total_tasks: all['total_items'],
			total_processed_tasks: all['total_processed_items'],
			total_succeeded: all['total_success'],
			total_failed: all['total_fail'],
		})),
	),
	'job.new': put(bulk, 'attributes.status', 'ended'),
	'job.failed': put(jobs, 'attributes.status', (status: string) =>
		status === 'failed' ? 'completed' : status,
	),
	'job.counts': put(jobs, 'attributes.total_fail', 0),
	'results.order': succeeded(results, ({ body }) => listIn(body).reverse()),
	'results.count': succeeded(results, ({ body }) => {
		const list = listIn(body);
		list.splice(
			list.findIndex(({ status }) => status === 'failed'),
			1,
		);
	}),
	'results.succeeded': put(results, 'data.*.data', undefined),
	'results.failed': put(results, 'data.*.errors.*.message', undefined),
	'results.already': put(results, 'data.*.errors.*.code', 'taken'),
	'listJobTasks.status': turned(results, 207, 200),
	'results.paging': refused(
		/\/tasks$/,
		500,
		({ query }) => query.has('page[size]') || query.has('page[number]'),
	),
	'bulk.unknown-field': refused(bulk, 422, holds('no_such')),
	'bulk.most': turned(bulk, 400, 202, ({ body }) => JSON.stringify(body).length > 3_000),
	'webhook.query': put(/ \/webhooks/, 'data.*.attributes.url', (url: string) => url.split('?')[0]),
};

let scene: RewritingProxy;
let sandbox: TestSandbox;

beforeAll(async () => {
	sandbox = await fullSandbox();
	scene = await rewritingProxy(sandbox.baseUrl);
});

test('a platform that keeps every promise: each statement holds, or there is a reason why it was not seen', async () => {
	scene.state.fault = {};
	const { report, ended, isClean, journals } = await certified(scene.baseUrl);
	expect({ ended, isClean, journals }).toEqual({ ended: undefined, isClean: true, journals: [] });
	expect(report.rows.filter(({ state }) => state === 'differs')).toEqual([]);
	expect(report.rows.filter(({ state, why }) => state === 'not seen' && !why)).toEqual([]);
	expect(
		idsOf(report, 'not seen').filter((id) => !/User|early|^limiter|^delivery/.test(id)),
	).toEqual(['access.scope', 'access.scope-words']);
});

test.each(Object.entries(faults))('%s, broken, says so, and no other row', async (row, fault) => {
	scene.state.fault = fault;
	const { report, isClean } = await certified(scene.baseUrl);
	expect(idsOf(report, 'differs')).toEqual([row]);
	// Where a deleted event is still answered, nobody knows that it is gone.
	expect(isClean).toBe(row !== 'event.deleted');
	const left = sandbox.platform.store.all("SELECT id FROM events WHERE title LIKE 'Certify%'");
	expect(left).toEqual([]);
});

test('a refusal with the right status and other words is not taken for one of somebody who is registered', async () => {
	scene.state.fault = failed(registering, ({ status, body }, request) => {
		if (status !== 409 || holds('YOU')(request)) return;
		for (const name of ['title', 'detail']) set(body, `errors.*.${name}`, 'All seats are taken');
		set(body, 'errors.*.code', 'seats_taken');
	});
	const { report } = await certified(scene.baseUrl);
	expect(idsOf(report, 'differs')).toEqual(['register.again']);
});
