import {
	rewritingProxy,
	type Fault,
	type Json,
	type PassedBack,
	type Passing,
} from '../support/rewritingProxy';
import { certified, fullSandbox, idsOf } from './running';

const json = { 'content-type': 'application/json' };
const refusal = (status: number): PassedBack => ({
	status,
	headers: json,
	body: {
		errors: [{ title: 'No', detail: 'No', code: 'no', status: String(status) }],
	} as unknown as Json,
});

const is = (request: Passing, method: string, path: RegExp) =>
	request.method === method && path.test(request.path);
const withPages = (request: Passing) =>
	request.query.has('page[size]') || request.query.has('page[number]');

/** Changes the answers of one request that were a success. */
function back(
	method: string,
	path: RegExp,
	change: (answer: PassedBack, request: Passing) => void,
): Fault {
	return {
		back(answer, request) {
			if (is(request, method, path) && answer.status < 300) change(answer, request);
		},
	};
}

/** Changes every record of a list, or the only one. */
function records(path: RegExp, change: (record: Json) => void): Fault {
	return back('GET', path, ({ body }) => {
		const data = body?.['data'];
		for (const record of Array.isArray(data) ? (data as Json[]) : [data as Json]) change(record);
	});
}

function meta(path: RegExp, change: (meta: Json, request: Passing) => void): Fault {
	return back('GET', path, ({ body }, request) => change(body?.['meta'] as Json, request));
}

function job(change: (record: Json, request: Passing, answer: PassedBack) => void): Fault {
	return {
		back(answer, request) {
			const isJob = /\/bulk$|^\/jobs\/[^/]+$/.test(request.path);
			if (isJob && answer.status < 300) change(answer.body as Json, request, answer);
		},
	};
}

function results(change: (list: Json[], answer: PassedBack) => void): Fault {
	return back('GET', /\/tasks$/, (answer) => change(listIn(answer.body, 'data'), answer));
}

/** The list itself, to be changed. */
function listIn(body: unknown, name: string): Json[] {
	const list = (body as Partial<Record<string, unknown>> | undefined)?.[name];
	return Array.isArray(list) ? (list as Json[]) : [];
}

/** Any value, where the types of a test would be in its way. */
const any = (value: unknown) => value as Json;

/** The row that is about a statement, and how that is broken. */
const faults: Readonly<Record<string, Fault>> = {
	'paging.first': {
		there({ query }) {
			const page = query.get('page[number]');
			if (page !== null) query.set('page[number]', String(Number(page) - 1));
		},
		back({ body, status }, request) {
			if (request.method !== 'GET' || status >= 300 || !body?.['meta']) return;
			for (const name of ['current_page', 'previous_page', 'next_page']) {
				if (body['meta'][name] !== null) body['meta'][name] = any(Number(body['meta'][name]) + 1);
			}
		},
	},
	'paging.larger': {
		there: ({ query }) => (Number(query.get('page[size]')) > 50 ? refusal(400) : undefined),
	},
	'paging.size': {
		there: ({ query, path }) => void (path === '/people' && query.delete('page[size]')),
	},
	'paging.default': {
		there: (request) =>
			void (
				request.path === '/people' &&
				!request.query.has('page[size]') &&
				request.query.set('page[size]', '25')
			),
	},
	'paging.next': meta(/^\/people$/, (all) => (all['next_page'] = any(null))),
	'paging.previous': meta(/^\/people$/, (all) => (all['previous_page'] ??= any(0))),
	'paging.beyond': {
		back(answer, request) {
			if (request.path !== '/people' || answer.status !== 400) return;
			answer.status = 200;
			answer.body = any({ data: [] });
		},
	},
	'paging.meta': meta(/^\/people$/, (all) => (all['record_count'] = any('120'))),
	'paging.count': meta(
		/^\/people$/,
		(all) => (all['page_count'] = any(Number(all['page_count']) + 1)),
	),
	'paging.second': {
		there: ({ path, query }) =>
			void (
				path === '/people' &&
				query.get('page[number]') === '1' &&
				query.set('page[number]', '0')
			),
	},
	'paging.filled': back('GET', /^\/people$/, ({ body }) => void listIn(body, 'data').pop()),
	'listEvents.body': back('GET', /^\/events$/, (answer, { query }) => {
		if (query.size === 0)
			answer.body = any({ items: answer.body?.['data'], meta: answer.body?.['meta'] });
	}),
	'getMe.media': back('GET', /^\/me$/, ({ headers }) => (headers['content-type'] = 'text/plain')),
	'Session.times': records(
		/^\/sessions(?:\/[^/]+)?$/,
		({ attributes }) => (attributes['created_at'] = any(Number(attributes['created_at']) * 1_000)),
	),
	'Event.fields': records(
		/^\/events$/,
		({ attributes }) => void Reflect.deleteProperty(attributes, 'language'),
	),
	'Event.types': records(
		/^\/events$/,
		({ attributes }) => (attributes['sessions_count'] = any('3')),
	),
	'Session.nulls': records(
		/^\/sessions$/,
		({ attributes }) => (attributes['timezone'] = any(null)),
	),
	'PeopleAttribute.words': records(
		/^\/people_attributes$/,
		({ attributes }) => (attributes['type'] = any('slider')),
	),
	'Person.parts': records(/^\/people$/, (record) => (record['links'] = any({}))),
	'records.nulls': records(
		/^\/events$/,
		({ attributes }) => (attributes['recording_public'] = any(null)),
	),
	'recordings.link': records(
		/\/recordings$/,
		({ attributes }) => (attributes['url_expires_in'] = any(43_200)),
	),
	'filter.listSessionPeople.email': {
		there: ({ path, method, query }) =>
			void (
				method === 'GET' &&
				/people$/.test(path) &&
				path.startsWith('/sessions') &&
				query.delete('filter[email]')
			),
	},
	'filter.listEvents.updated_since': {
		back(answer, { path, query }) {
			if (path === '/events' && query.has('filter[updated_since]'))
				Object.assign(answer, refusal(400));
		},
	},
	'include.me-with-organization': {
		there: ({ path, query }) => void (path === '/me' && query.delete('include')),
	},
	'errors.shape': {
		back(answer) {
			if (answer.status >= 400 && answer.body) answer.body = any({ error: 'No' });
		},
	},
	'errors.fields': {
		back({ status, body }) {
			for (const error of status >= 400 ? listIn(body, 'errors') : [])
				Object.assign(error, { code: String(status), status: 'refused' });
		},
	},
	'errors.media': {
		back({ status, headers }) {
			if (status >= 400) headers['content-type'] = 'text/html';
		},
	},
	'errors.unknown': {
		back(answer, { path }) {
			if (path.startsWith('/events/0000')) Object.assign(answer, refusal(410));
		},
	},
	'limits.headers': {
		back({ headers }) {
			for (const name of Object.keys(headers))
				if (name.startsWith('ratelimit')) delete headers[name];
		},
	},
	'limits.second': { back: ({ headers }) => void (headers['ratelimit-interval-limit'] = '10') },
	'limits.month': {
		back: ({ headers }) => void (headers['ratelimit-monthly-remaining'] = '900000'),
	},
	'limits.reset': { back: ({ headers }) => void (headers['ratelimit-reset'] += '000') },
	'limits.clock': {
		back: ({ headers }) => void (headers['date'] = new Date(Date.now() + 300_000).toUTCString()),
	},
	'access.form': {
		there(request) {
			const { authorization = '' } = request.headers;
			if (!authorization.startsWith('Bearer ')) return refusal(401);
			request.headers.authorization = authorization.slice('Bearer '.length);
			return undefined;
		},
	},
	'access.other-form': {
		there: (request) =>
			void (request.headers.authorization = request.headers.authorization?.replace('Bearer ', '')),
	},
	'access.none': { there: (request) => void (request.headers.authorization ??= 'sandbox-token') },
	'createEvent.status': back('POST', /^\/events$/, (answer) => (answer.status = 200)),
	'deleteSessionPerson.status': back('DELETE', /people\/[^/]+$/, (answer) => (answer.status = 202)),
	'session.planned': {
		back({ status, body }, { path }) {
			if (status === 201 && path.endsWith('/sessions'))
				(body?.['data'] as Json)['attributes']['estimated_started_at'] = any(2_128_674_600);
			if (
				path.startsWith('/sessions/') &&
				status === 200 &&
				body?.['data']?.['attributes']?.['estimated_started_at']
			)
				body['data']['attributes']['estimated_started_at'] = any(
					Number(body['data']['attributes']['estimated_started_at']) + 7_200,
				);
		},
	},
	'event.deleted': {
		back(answer, request) {
			if (is(request, 'GET', /^\/events\/(?!0000)[^/]+$/) && answer.status === 404)
				answer.status = 200;
		},
	},
	'register.again': {
		back(answer, request) {
			if (
				is(request, 'POST', /people$/) &&
				answer.status === 409 &&
				!JSON.stringify(request.body).includes('YOU')
			)
				answer.status = 201;
		},
	},
	'register.letters': {
		back(answer, request) {
			if (is(request, 'POST', /people$/) && JSON.stringify(request.body).includes('YOU'))
				answer.status = 201;
		},
	},
	'register.unknown-field': {
		back(answer, request) {
			if (is(request, 'POST', /people$/) && JSON.stringify(request.body).includes('no_such'))
				answer.status = 201;
		},
	},
	'update.made': {
		there: ({ method, body }) =>
			void (
				method === 'PATCH' &&
				body?.['data']?.['attributes']?.['fields']?.[0] &&
				(body['data']['attributes']['fields'][0]['value'] = any('Ada'))
			),
	},
	'update.answer': {
		back(answer, request) {
			if (is(request, 'PATCH', /people\//)) Object.assign(answer, refusal(502));
		},
	},
	'job.flat': job((record, _, answer) => (answer.body = any({ data: record }))),
	'job.counters': job(({ attributes: all }, _, { body }) => {
		(body as Json)['attributes'] = any({
			status: all['status'],
			total_tasks: all['total_items'],
			total_processed_tasks: all['total_processed_items'],
			total_succeeded: all['total_success'],
			total_failed: all['total_fail'],
		});
	}),
	'job.new': job(
		({ attributes }, { method }) =>
			void (method === 'POST' && (attributes['status'] = any('ended'))),
	),
	'job.failed': job(
		({ attributes }) =>
			void (attributes['status'] === 'failed' && (attributes['status'] = any('completed'))),
	),
	'job.counts': job(({ attributes }) => (attributes['total_fail'] = any(0))),
	'results.order': results((list) => list.reverse()),
	'results.count': results((list) =>
		list.splice(
			list.findIndex(({ status }) => (status as string) === 'failed'),
			1,
		),
	),
	'results.succeeded': results((list) =>
		list.forEach((one) => Reflect.deleteProperty(one, 'data')),
	),
	'results.failed': results((list) =>
		list.forEach(({ errors }) =>
			(errors as Json[]).forEach((error) => Reflect.deleteProperty(error, 'message')),
		),
	),
	'results.already': results((list) =>
		list.forEach(({ errors }) =>
			(errors as Json[]).forEach((error) => (error['code'] = any('taken'))),
		),
	),
	'listJobTasks.status': results((_, answer) => (answer.status = 200)),
	'results.paging': {
		there: (request) =>
			request.path.endsWith('/tasks') && withPages(request) ? refusal(500) : undefined,
	},
	'bulk.unknown-field': {
		there: ({ path, body }) =>
			path.endsWith('/bulk') && JSON.stringify(body).includes('no_such') ? refusal(422) : undefined,
	},
	'bulk.most': {
		back(answer, { path, body }) {
			if (path.endsWith('/bulk') && JSON.stringify(body).length > 3_000) answer.status = 202;
		},
	},
	'webhook.query': {
		back({ body }, { path }) {
			if (!path.startsWith('/webhooks')) return;
			for (const webhook of [body?.['data'] ?? []].flat() as Json[])
				webhook['attributes']['url'] = any((webhook['attributes']['url'] as string).split('?')[0]);
		},
	},
};

let scene: Awaited<ReturnType<typeof rewritingProxy>>;
let sandbox: Awaited<ReturnType<typeof fullSandbox>>;

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
	expect(isClean).toBe(true);
	expect(await leftIn(sandbox)).toEqual([]);
});

async function leftIn({ platform }: typeof sandbox): Promise<unknown[]> {
	return Promise.resolve(platform.store.all("SELECT id FROM events WHERE title LIKE 'Certify%'"));
}
