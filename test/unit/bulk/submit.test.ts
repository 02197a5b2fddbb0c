import { submit } from '../../../nodes/EventPlatform/core/bulk/submit';
import type { ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import { candidates } from '../../support/runs/simulation';

const request = { method: 'POST', path: '/sessions/s%201/people/bulk' } as const;
const tracking = { referrer: 'https://example.com', utm_source: 'newsletter' };
const people = candidates(3).map((one) => ({
	...one,
	registration: { ...one.registration, tracking },
}));
const chunk = { sessionId: 's 1', people: [2, 0, 7] };

test('the people of a chunk are sent as tasks, in its order', async () => {
	const asked: ApiRequest[] = [];
	const tasks = ['p2@example.com', 'p0@example.com'].map((value) => ({
		fields: [{ id: 'email', value }],
		...tracking,
	}));
	const submitted = await submit(chunk, people, (sent) => {
		asked.push(sent);
		return Promise.resolve({ status: 202, headers: {}, body: { id: 'j1', attributes: {} } });
	});
	expect(submitted).toMatchObject({ id: 'j1' });
	const body = { data: { type: 'jobs', attributes: { tasks } } };
	expect(asked).toEqual([{ ...request, body, contentType: 'application/vnd.api+json' }]);
});

test('an answer without a job leaves open what the platform does', async () => {
	const answer = { status: 202, headers: {}, body: 'ok' };
	await expect(submit(chunk, people, () => Promise.resolve(answer))).rejects.toMatchObject({
		cause: 'unexpected_shape',
		status: 202,
		request,
	});
});

test('a value is sent whole, however long it is', async () => {
	const fields = [{ id: 'about', value: 'x'.repeat(100_000) }];
	const long = candidates(1).map((one) => ({ ...one, registration: { fields, tracking: {} } }));
	let sent: unknown;
	await submit({ sessionId: 's', people: [0] }, long, ({ body }) => {
		sent = body;
		return Promise.resolve({ status: 202, headers: {}, body: { id: 'j1' } });
	});
	expect(sent).toEqual({ data: { type: 'jobs', attributes: { tasks: [{ fields }] } } });
});
