import type { TestSandbox } from '../support/platform/sandbox';
import { certified, fullSandbox, idsOf } from './certifyRun';
import {
	changeFailure,
	changeRequest,
	changeResponse,
	changeStatus,
	changeSuccess,
	everyCall,
	hasText,
	recordsIn,
	refusal,
	refuse,
	setAt,
	setHeader,
	setInSuccess,
} from './faults';
import { rewritingProxy, type Fault, type RewritingProxy } from './rewritingProxy';

const people = /^GET \/people$/;
const events = /^GET \/events$/;
const registering = /^POST .*people$/;
/** The code of a refusal tells that somebody is registered already, so that a registration is no example of a refusal. */
const butRegistering = /^(?!POST .*people$)/;
const bulk = /\/bulk$/;
const jobs = /\/bulk$| \/jobs\/[^/]+$/;
const results = /^GET .*\/tasks$/;

/** A fault that breaks a statement, by the row that is about it. */
const faults: Readonly<Record<string, Fault>> = {
	'paging.first': {
		onRequest({ query }) {
			const page = query.get('page[number]');
			if (page !== null) query.set('page[number]', String(Number(page) - 1));
		},
		onResponse({ body, status }, { call }) {
			if (!call.startsWith('GET') || status >= 300) return;
			for (const name of ['current_page', 'previous_page', 'next_page']) {
				setAt(body, `meta.${name}`, (page: unknown) => (page === null ? null : Number(page) + 1));
			}
		},
	},
	'paging.larger': refuse(everyCall, 400, ({ query }) => Number(query.get('page[size]')) > 50),
	'paging.size': changeRequest(people, ({ query }) => query.delete('page[size]')),
	'paging.default': changeRequest(
		people,
		({ query }) => query.has('page[size]') || query.set('page[size]', '25'),
	),
	'paging.next': setInSuccess(people, 'meta.next_page', null),
	'paging.previous': setInSuccess(people, 'meta.previous_page', (page: unknown) => page ?? 0),
	'paging.beyond': changeFailure(
		people,
		(response) =>
			response.status === 400 && Object.assign(response, { status: 200, body: { data: [] } }),
	),
	'paging.meta': setInSuccess(people, 'meta.record_count', '120'),
	'paging.count': setInSuccess(people, 'meta.page_count', (count: number) => count + 1),
	'paging.second': changeRequest(
		people,
		({ query }) => query.get('page[number]') === '1' && query.set('page[number]', '0'),
	),
	'paging.filled': changeSuccess(people, ({ body }) => recordsIn(body).pop()),
	'listEvents.body': changeSuccess(events, ({ body }, { query }) => {
		if (query.size > 0) return;
		setAt(body, 'items', recordsIn(body));
		setAt(body, 'data', undefined);
	}),
	'getMe.media': changeSuccess(
		/^GET \/me$/,
		({ headers }) => (headers['content-type'] = 'text/plain'),
	),
	'Session.times': setInSuccess(
		/^GET \/sessions(?:\/[^/]+)?$/,
		'data.*.attributes.created_at',
		(seconds: number) => seconds * 1_000,
	),
	'Event.fields': setInSuccess(events, 'data.*.attributes.language', undefined),
	'Event.types': setInSuccess(events, 'data.*.attributes.sessions_count', '3'),
	'Session.nulls': setInSuccess(/^GET \/sessions$/, 'data.*.attributes.timezone', null),
	'PeopleAttribute.words': setInSuccess(
		/^GET \/people_attributes$/,
		'data.*.attributes.type',
		'slider',
	),
	'Person.parts': setInSuccess(people, 'data.*.links', {}),
	'records.nulls': setInSuccess(events, 'data.*.attributes.fields.*.required', null),
	'recordings.link': setInSuccess(
		/^GET .*\/recordings$/,
		'data.*.attributes.url_expires_in',
		43_200,
	),
	'filter.listSessionPeople.email': changeRequest(/^GET \/sessions.*people$/, ({ query }) =>
		query.delete('filter[email]'),
	),
	'filter.listEvents.updated_since': refuse(events, 400, ({ query }) =>
		query.has('filter[updated_since]'),
	),
	'include.me-with-organization': changeRequest(/ \/me$/, ({ query }) => query.delete('include')),
	'errors.shape': changeFailure(
		butRegistering,
		(response) => response.body !== undefined && (response.body = { error: 'No' }),
	),
	'errors.fields': changeFailure(butRegistering, ({ status, body }) => {
		setAt(body, 'errors.*.code', String(status));
		setAt(body, 'errors.*.status', 'refused');
	}),
	'errors.media': changeFailure(
		everyCall,
		({ headers }) => (headers['content-type'] = 'text/html'),
	),
	'errors.unknown': refuse(/ \/events\/0000/, 410, () => true),
	'limits.headers': changeResponse(everyCall, ({ headers }) => {
		for (const name of Object.keys(headers)) if (name.startsWith('ratelimit')) delete headers[name];
	}),
	'limits.second': setHeader('ratelimit-interval-limit', () => '10'),
	'limits.month': setHeader('ratelimit-monthly-remaining', () => '900000'),
	'limits.reset': setHeader('ratelimit-reset', (seconds) => `${seconds}000`),
	'limits.clock': setHeader('date', () => new Date(Date.now() + 300_000).toUTCString()),
	'access.form': {
		onRequest({ headers }) {
			const { authorization = '' } = headers;
			if (!authorization.startsWith('Bearer ')) return refusal(401);
			headers.authorization = authorization.slice('Bearer '.length);
			return undefined;
		},
	},
	'access.other-form': changeRequest(
		everyCall,
		({ headers }) => (headers.authorization = headers.authorization?.replace('Bearer ', '')),
	),
	'access.none': changeRequest(
		everyCall,
		({ headers }) => (headers.authorization ??= 'sandbox-token'),
	),
	'createEvent.status': changeStatus(/^POST \/events$/, 201, 200),
	'deleteSessionPerson.status': changeStatus(/^DELETE .*people\/[^/]+$/, 204, 202),
	'session.planned': changeSuccess(/\/sessions/, ({ status, body }, { call }) => {
		const planned = 'data.attributes.estimated_started_at';
		if (status === 201 && call.endsWith('/sessions')) setAt(body, planned, 2_128_674_600);
		const isRead = status === 200 && / \/sessions\/[^/]+$/.test(call);
		if (isRead) setAt(body, planned, (at?: number) => at && at + 7_200);
	}),
	'register.again': changeStatus(registering, 409, 201, (request) => !hasText('YOU')(request)),
	'register.letters': changeStatus(registering, 409, 201, hasText('YOU')),
	'register.unknown-field': changeStatus(registering, 422, 201, hasText('no_such')),
	'update.made': changeRequest(/^PATCH/, ({ body }) =>
		setAt(body, 'data.attributes.fields.0.value', 'Ada'),
	),
	'update.answer': changeResponse(/^PATCH .*people\//, (response) =>
		Object.assign(response, refusal(502)),
	),
	'job.flat': changeSuccess(jobs, (response) => (response.body = { data: response.body })),
	'job.counters': changeSuccess(jobs, ({ body }) =>
		setAt(body, 'attributes', (all: Record<string, unknown>) => ({
			status: all['status'],
			total_tasks: all['total_items'],
			total_processed_tasks: all['total_processed_items'],
			total_succeeded: all['total_success'],
			total_failed: all['total_fail'],
		})),
	),
	'job.new': setInSuccess(bulk, 'attributes.status', 'ended'),
	'job.failed': setInSuccess(jobs, 'attributes.status', (status: string) =>
		status === 'failed' ? 'completed' : status,
	),
	'job.counts': setInSuccess(jobs, 'attributes.total_fail', 0),
	'results.order': changeSuccess(results, ({ body }) => recordsIn(body).reverse()),
	'results.count': changeSuccess(results, ({ body }) => {
		const list = recordsIn(body);
		list.splice(
			list.findIndex(({ status }) => status === 'failed'),
			1,
		);
	}),
	'results.succeeded': setInSuccess(results, 'data.*.data', undefined),
	'results.failed': setInSuccess(results, 'data.*.errors.*.message', undefined),
	'results.already': setInSuccess(results, 'data.*.errors.*.code', 'taken'),
	'listJobTasks.status': changeStatus(results, 207, 200),
	'results.paging': refuse(
		/\/tasks$/,
		500,
		({ query }) => query.has('page[size]') || query.has('page[number]'),
	),
	'bulk.unknown-field': refuse(bulk, 422, hasText('no_such')),
	'bulk.most': changeStatus(bulk, 400, 202, ({ body }) => JSON.stringify(body).length > 3_000),
	'webhook.query': setInSuccess(
		/ \/webhooks/,
		'data.*.attributes.url',
		(url: string) => url.split('?')[0],
	),
};

let scene: RewritingProxy;
let sandbox: TestSandbox;

beforeAll(async () => {
	sandbox = await fullSandbox();
	scene = await rewritingProxy(sandbox.baseUrl);
});

/** The events of runs that are still on the platform. */
const leftEvents = () =>
	sandbox.platform.store.all("SELECT id FROM events WHERE title LIKE 'Certify%'");

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

describe.each(Object.entries(faults))('%s, broken', (row, fault) => {
	let run: Awaited<ReturnType<typeof certified>>;

	beforeAll(async () => {
		scene.state.fault = fault;
		run = await certified(scene.baseUrl);
	});

	test('differs, and no other statement does', () => {
		expect(idsOf(run.report, 'differs')).toEqual([row]);
	});

	test('leaves nothing behind that was made', () => {
		expect({ isClean: run.isClean, left: leftEvents() }).toEqual({ isClean: true, left: [] });
	});
});

test('where a deleted event is still answered, that differs, and nobody knows that the event is gone', async () => {
	scene.state.fault = changeStatus(/^GET \/events\/(?!0000)[^/]+$/, 404, 200);
	const { report, isClean } = await certified(scene.baseUrl);
	expect(idsOf(report, 'differs')).toEqual(['event.deleted']);
	expect({ isClean, left: leftEvents() }).toEqual({ isClean: false, left: [] });
});

test('a refusal with the right status and other words is not taken for one of somebody who is registered', async () => {
	scene.state.fault = changeFailure(registering, ({ status, body }, request) => {
		if (status !== 409 || hasText('YOU')(request)) return;
		for (const name of ['title', 'detail']) setAt(body, `errors.*.${name}`, 'All seats are taken');
		setAt(body, 'errors.*.code', 'seats_taken');
	});
	const { report } = await certified(scene.baseUrl);
	expect(idsOf(report, 'differs')).toEqual(['register.again']);
});
