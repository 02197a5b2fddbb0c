import type { AxiosInstance } from 'axios';
import { operations, readDocument } from '../support/readDocument';
import { expectRefusal } from './refusal';
import {
	detailOf,
	fieldsOf,
	type One,
	openSandbox,
	type Page,
	registration,
	type Visitor,
} from './visitor';

let visitor: Visitor;
let api: AxiosInstance;
let sessionId: string;
beforeAll(async () => {
	visitor = await openSandbox();
	api = visitor.api;
	sessionId = await visitor.sessionId();
});
afterEach(async () => {
	expect((await api.get('/v1/ping')).status).toBe(200);
});

const json = { headers: { 'Content-Type': 'application/json' } };
const raw = { transformRequest: (body: unknown) => body };

const writes = operations(readDocument()).filter(
	({ path, method }) => path.startsWith('/v1') && ['POST', 'PATCH'].includes(method),
);
const real = (path: string) => path.replace('/sessions/{id}', `/sessions/${sessionId}`);

describe.each(writes.map(({ method, path }) => [method, path] as const))(
	'%s %s',
	(method, path) => {
		const url = () => real(path).replace(/\{\w+\}/g, 'none');
		const send = (data: unknown, headers: object = json.headers) =>
			api.request<unknown>({ method, url: url(), data, headers: { ...headers }, ...raw });

		test.each([
			['no body', undefined],
			['an empty body', ''],
			['half a document', '{"data": {"type": "ev'],
			['no JSON at all', 'title=x'],
			['a number', '7'],
			['null', 'null'],
			['a text', '"data"'],
			['a list', '[]'],
			['an empty object', '{}'],
			['a list for data', '{"data":[]}'],
			['null for data', '{"data":null}'],
			['null for attributes', '{"data":{"type":"x","attributes":null}}'],
			['very deep JSON', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
			['__proto__', '{"__proto__":{"isAdmin":true},"data":{}}'],
			['a constructor', '{"constructor":{"prototype":{"isAdmin":true}},"data":{}}'],
			['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x7b])],
		])('refuses %s', async (_, body) => {
			expectRefusal(await send(body));
			expect({}).not.toHaveProperty('isAdmin');
		});

		test.each([
			['text/plain'],
			['text/html'],
			['application/xml'],
			['multipart/form-data'],
			['application/x-www-form-urlencoded'],
			['application/json-patch'],
			['nonsense'],
		])('refuses the content type %s', async (type) => {
			const answer = await send('{"data":{}}', { 'Content-Type': type });
			expectRefusal(answer);
			expect(answer.status).toBe(415);
		});

		test('refuses a body over 1 MiB', async () => {
			const answer = await send(JSON.stringify({ data: 'x'.repeat(1024 * 1024) }));
			expectRefusal(answer);
			expect(answer.status).toBe(413);
			expect(detailOf(answer)).toContain('1 MiB');
		});
	},
);

test.each([
	'page[number]=-1',
	'page[number]=1e309',
	'page[number]=0x10',
	'page[number]=NaN',
	'page[number]=null',
	'page[number]=٣',
	'page[number]=9007199254740993',
	'page[number]=184467440737095516160000000000',
	'page[number]=0&page[number]=1',
	'page[number][]=0',
	'page[size]=0',
	'page[size]=-50',
	'page[size]=50.0',
	'page[size]=1;DROP TABLE events',
	'page=1',
	'page[limit]=5',
	'filter[created_since]=now()',
	'filter[created_since]=9999-99-99',
	'filter[__proto__]=1',
	'filter[constructor]=1',
	'filter[title]=a&filter[title]=b',
	"filter[scheduling_status]=' OR 1=1 --",
	'include=__proto__',
	`filter[scheduling_status]=${'x'.repeat(5_000)}`,
])('GET /v1/events?%s is refused', async (query) => {
	expectRefusal(await api.get(`/v1/events?${encodeURI(query)}`));
});

test.each([
	`filter[title]=${'x'.repeat(10_000)}`,
	"filter[title]=' OR 1=1 --",
	'filter[title]=%25%5F%00',
	'filter[title]=%F0%9F%8E%89',
	'filter[tag]=,,,',
])('GET /v1/events?%s finds nothing, and nothing breaks', async (query) => {
	const answer = await api.get<Page>(`/v1/events?${query}`);
	if (answer.status === 200) expect(answer.data.data).toEqual([]);
	else expectRefusal(answer);
});

test.each([
	'none',
	'..',
	'../../etc/passwd',
	'..%2f..%2f..%2fetc%2fpasswd',
	'%2e%2e%2fping',
	'%00',
	'%0d%0aSet-Cookie:%20a=b',
	'%F0%9F%8E%89',
	"' OR 1=1 --",
	'__proto__',
	'constructor',
	'x'.repeat(900),
	'x'.repeat(9_000),
	'%',
	'%zz',
	'%c0%af',
	'<script>alert(1)</script>',
])('the id %s is no record', async (id) => {
	for (const url of [`/v1/events/${id}`, `/v1/sessions/${id}/people`, `/v1/jobs/${id}`]) {
		const answer = await visitor.sandbox.web.get<unknown>(url, {
			headers: { Authorization: visitor.sandbox.apiToken },
		});
		// The client itself resolves plain dots before anything is sent.
		if (id === '..' && answer.status === 200) continue;
		expectRefusal(answer);
		expect(answer.headers['set-cookie']).toBeUndefined();
		expect(answer.headers['content-type']).not.toContain('html');
	}
});

test('header injection comes to nothing', async () => {
	const title = 'x\r\nSet-Cookie: a=b\r\n\r\n<h1>';
	const { data, headers } = await api.post<One>('/v1/events', {
		data: { type: 'events', attributes: { title } },
	});
	expect(data.data.attributes['title']).toBe(title);
	expect(headers['set-cookie']).toBeUndefined();
	const state = encodeURIComponent(title);
	const answer = await visitor.as().get<string>(`/oauth/authorize?client_id=x&state=${state}`);
	expect([answer.status, answer.headers['set-cookie']]).toEqual([400, undefined]);
});

test('HTML in what is sent is text on every page', async () => {
	const markup = '<img src=x onerror="alert(1)">';
	await api.post('/v1/events', { data: { type: 'events', attributes: { title: markup } } });
	const pages = [
		'/',
		`/oauth/authorize?client_id=${encodeURIComponent(markup)}`,
		`/oauth/authorize?client_id=sandbox-client&redirect_uri=${encodeURIComponent(markup)}`,
	];
	for (const page of pages) {
		const { data } = await visitor.sandbox.web.get<string>(page);
		expect(data).not.toContain(markup);
	}
});

test('the page for people runs its own scripts only, and they write text, never markup', async () => {
	const { data: html, headers } = await visitor.sandbox.web.get<string>('/');
	expect(headers['content-security-policy']).toContain("script-src 'self'");
	const scripts = ['page', 'dom', 'events', 'lists', 'pace'].map((name) => `/page/${name}.js`);
	expect(html).toContain('/page/page.js');
	for (const script of scripts) {
		const { status, data } = await visitor.sandbox.web.get<string>(script);
		expect([script, status]).toEqual([script, 200]);
		expect(data).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/);
	}
});

test('prototype keys as fields are unknown fields', async () => {
	const path = `/v1/sessions/${sessionId}/people`;
	for (const id of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
		const answer = await api.post<unknown>(path, {
			data: {
				type: 'people',
				attributes: { fields: [...fieldsOf({ email: 'a@example.org' }), { id, value: 'x' }] },
			},
		});
		expectRefusal(answer);
		expect(detailOf(answer)).toContain(id);
	}
});

test('long and strange values are kept as they are', async () => {
	const path = `/v1/sessions/${sessionId}/people`;
	for (const [nth, name] of [
		'x'.repeat(100_000),
		"Robert'); DROP TABLE people;--",
		'\u202eright to left',
		'nul \u0000 byte',
		'🎉'.repeat(1_000),
		'\ud800',
	].entries()) {
		const { status, data } = await api.post<One>(
			path,
			registration({ email: `strange-${nth}@example.org`, first_name: name }),
		);
		expect([nth, status]).toEqual([nth, 201]);
		const kept = data.data.attributes['first_name'];
		expect(kept).toBe(name === '\ud800' ? '\ufffd' : name);
	}
	expect((await api.get<Page>(path)).data.meta.record_count).toBe(6);
});
