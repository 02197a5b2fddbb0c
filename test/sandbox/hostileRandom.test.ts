import { bulkOfTasks, type JobAnswer, jobIn } from '../support/sandbox';
import type { AxiosInstance, AxiosResponse } from 'axios';
import fc from 'fast-check';
import { operations, readDocument } from '../support/readDocument';
import { expectRefusal } from './refusal';
import { type Traits, traitsDrawn } from './traits';
import { openSandbox, type Visitor } from './visitor';

// Hundreds of requests, on a machine that may be busy.
jest.setTimeout(30_000);

const writes = operations(readDocument())
	.filter(({ path, method }) => path.startsWith('/v1') && method === 'POST')
	.map(({ path }) => path);
const json = {
	headers: { 'Content-Type': 'application/json' },
	transformRequest: (body: unknown) => body,
};

let visitor: Visitor;
let api: AxiosInstance;
let sessionId: string;
beforeAll(async () => {
	visitor = await openSandbox();
	api = visitor.api;
	sessionId = await visitor.sessionId();
});

const runs = { numRuns: 60 };
afterEach(() => visitor.control('world', { world: 'specification' }));
const turn = async (traits: Traits) => {
	expect((await visitor.control('world', traits)).status).toBe(200);
};
const reasonable = (answer: AxiosResponse<unknown>, { errorFields }: Traits) => {
	if (answer.status >= 400) expectRefusal(answer, errorFields);
	else expect(answer.status).toBeLessThan(300);
};

test('random garbage in the body', async () => {
	const paths = writes.map((path) =>
		path.replace('/sessions/{id}', `/sessions/${sessionId}`).replace(/\{\w+\}/g, 'none'),
	);
	await fc.assert(
		fc.asyncProperty(
			traitsDrawn(),
			fc.constantFrom(...paths),
			fc.json(),
			async (traits, path, body) => {
				await turn(traits);
				reasonable(await api.post<unknown>(path, body, json), traits);
			},
		),
		runs,
	);
});

test('random garbage in the tasks of a job', async () => {
	const task = fc.record(
		{
			fields: fc.array(
				fc.record(
					{
						id: fc.oneof(
							fc.constantFrom('email', 'first_name', '__proto__'),
							fc.string({ minLength: 1 }),
						),
						value: fc.oneof(fc.emailAddress(), fc.string(), fc.array(fc.string())),
					},
					{ requiredKeys: ['id', 'value'] },
				),
			),
			referrer: fc.string(),
			utm_source: fc.string({ unit: 'binary' }),
		},
		{ requiredKeys: ['fields'] },
	);
	await fc.assert(
		fc.asyncProperty(
			traitsDrawn(),
			fc.array(task, { minLength: 1, maxLength: 5 }),
			async (traits, tasks) => {
				await turn(traits);
				const path = `/v1/sessions/${sessionId}/people/bulk`;
				const answer = await api.post<JobAnswer>(path, bulkOfTasks(tasks));
				if (traits.unknownField === 'request' && answer.status === 422) {
					return expectRefusal(answer, traits.errorFields);
				}
				expect(answer.status).toBe(202);
				const { attributes } = await visitor.sandbox.jobEnd(jobIn(answer.data).id);
				const { total_items, total_tasks } = attributes as Record<string, unknown>;
				const { total_processed_items, total_processed_tasks } = attributes as typeof attributes &
					Record<string, unknown>;
				const total = total_items ?? total_tasks;
				expect(total_processed_items ?? total_processed_tasks).toBe(total);
				// An id that was given twice leads to the job before.
				if (traits.jobIds === 'unique') expect(total).toBe(tasks.length);
			},
		),
		runs,
	);
});

test('random garbage in the query', async () => {
	const name = fc.oneof(
		fc.constantFrom('page[number]', 'page[size]', 'filter[title]', 'filter[tag]', 'include'),
		fc.string(),
	);
	await fc.assert(
		fc.asyncProperty(
			traitsDrawn(),
			fc.array(fc.tuple(name, fc.string({ unit: 'binary' }))),
			async (traits, pairs) => {
				await turn(traits);
				const query = new URLSearchParams(pairs);
				reasonable(await api.get(`/v1/events?${query.toString()}`), traits);
			},
		),
		runs,
	);
});

test('random garbage in the path', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), async (parts) => {
			const path = parts.map(encodeURIComponent).join('/');
			expectRefusal(await api.get(`/v1/none/${path}`));
		}),
		runs,
	);
});

test('random garbage in the Authorization header', async () => {
	await fc.assert(
		fc.asyncProperty(fc.stringMatching(/^[!-~]{0,60}$/), async (token) => {
			const answer = await visitor.as(token).get('/v1/events');
			expectRefusal(answer);
			expect(answer.status).toBe(401);
		}),
		runs,
	);
});

test('random garbage in the parameters of the token endpoint', async () => {
	const parameters = fc.dictionary(
		fc.constantFrom('grant_type', 'client_id', 'client_secret', 'code', 'refresh_token'),
		fc.string({ unit: 'binary' }),
	);
	await fc.assert(
		fc.asyncProperty(parameters, async (values) => {
			const form = new URLSearchParams(values);
			const { status, data } = await visitor.as().post<{ error: string }>('/oauth/token', form);
			expect([400, 401]).toContain(status);
			expect(data.error).toMatch(/^[a-z_]+$/);
		}),
		runs,
	);
});
