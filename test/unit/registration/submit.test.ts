import { submit } from '../../../nodes/EventPlatform/core/registration/jobRequests';
import type { ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import { someRows } from '../../support/runs/simulation';

const request = { method: 'POST', path: '/sessions/s%201/people/bulk' } as const;
const tracking = { referrer: 'https://example.com', utm_source: 'newsletter' };
const registrations = someRows(3).map(({ registration }) => ({ ...registration, tracking }));

test('people are sent as tasks, in their order', async () => {
	const asked: ApiRequest[] = [];
	const tasks = ['p0@example.com', 'p1@example.com', 'p2@example.com'].map((value) => ({
		fields: [{ id: 'email', value }],
		...tracking,
	}));
	const submitted = await submit('s 1', registrations, {}, (sent) => {
		asked.push(sent);
		return Promise.resolve({ status: 202, headers: {}, body: { id: 'j1', attributes: {} } });
	});
	expect(submitted).toMatchObject({ id: 'j1' });
	const body = { data: { type: 'jobs', attributes: { tasks } } };
	expect(asked).toEqual([{ ...request, body, contentType: 'application/vnd.api+json' }]);
});

test('an answer without a job leaves open what the platform does', async () => {
	const answer = { status: 202, headers: {}, body: 'ok' };
	await expect(
		submit('s 1', registrations, {}, () => Promise.resolve(answer)),
	).rejects.toMatchObject({
		cause: 'unexpected_shape',
		status: 202,
		request,
	});
});

test('a value is sent whole, however long it is', async () => {
	const fields = [{ id: 'about', value: 'x'.repeat(100_000) }];
	const long = [{ fields, tracking: {} }];
	let sent: unknown;
	await submit('s', long, {}, ({ body }) => {
		sent = body;
		return Promise.resolve({ status: 202, headers: {}, body: { id: 'j1' } });
	});
	expect(sent).toEqual({ data: { type: 'jobs', attributes: { tasks: [{ fields }] } } });
});
