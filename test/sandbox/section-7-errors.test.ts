import { bulk, crowd, openSandbox, type Refused, registration, type Visitor } from './visitor';

let visitor: Visitor;
let sessionId: string;
beforeAll(async () => {
	visitor = await openSandbox();
	sessionId = await visitor.sessionId();
});

test.each([
	[400, 'a malformed request', () => visitor.api.post('/v1/events', { data: 7 })],
	[
		400,
		'a page that does not exist',
		() => visitor.api.get('/v1/events', { params: { 'page[number]': 99 } }),
	],
	[401, 'no token', () => visitor.as().get('/v1/events')],
	[
		403,
		'a missing scope',
		async () => visitor.as(await visitor.bearer('webhooks:read')).get('/v1/events'),
	],
	[404, 'an unknown record', () => visitor.api.get('/v1/events/none')],
	[404, 'an unknown path', () => visitor.api.get('/v1/cats')],
	[
		409,
		'a person who is registered already',
		async () => {
			const person = registration({ email: 'twice@example.org' });
			await visitor.api.post(`/v1/sessions/${sessionId}/people`, person);
			return visitor.api.post(`/v1/sessions/${sessionId}/people`, person);
		},
	],
])('%i for %s, in the envelope', async (status, _, send) => {
	const answer = await send();
	expect(answer.status).toBe(status);
	const { errors } = answer.data as Refused;
	expect(errors).toHaveLength(1);
	for (const error of errors) {
		expect(Object.keys(error).sort()).toEqual(['code', 'detail', 'status', 'title']);
		expect(Object.values(error).every((text) => typeof text === 'string' && text !== '')).toBe(
			true,
		);
		expect(error.status).toBe(String(status));
	}
	expect(answer.headers['content-type']).toMatch(/^application\/(json|vnd\.api\+json)/);
});

test('202 for a job that was accepted and 207 for its results', async () => {
	const path = `/v1/sessions/${sessionId}/people/bulk`;
	const posted = await visitor.api.post<{ id: string }>(path, bulk(crowd(1)));
	expect(posted.status).toBe(202);
	expect((await visitor.api.get(`/v1/jobs/${posted.data.id}/tasks`)).status).toBe(207);
});

describe('told to fail, exactly the named requests do', () => {
	beforeEach(() => visitor.sandbox.reset());
	const fault = (action: string, more: object = {}) =>
		visitor.control('faults', [
			{ match: { method: 'GET', path: '/v1/events' }, times: 1, do: action, ...more } as object,
		]);
	const read = () => visitor.api.get<unknown>('/v1/events', { timeout: 300 });

	test.each([
		['500', 500],
		['html-502', 502],
		['429', 429],
	])('%s', async (action, status) => {
		await fault(action, { retryAfter: 7 });
		expect((await visitor.api.get('/v1/sessions')).status).toBe(200);
		const answer = await read();
		expect(answer.status).toBe(status);
		if (status === 429) expect(answer.headers['retry-after']).toBe('7');
		if (status === 502) expect(answer.headers['content-type']).toContain('text/html');
		expect((await read()).status).toBe(200);
	});
});
