import { bulkOf, sandboxForTests, upcomingSession, type TestSandbox } from '../support/sandbox';
import { bulkPath, crowd, detailOf, resultsOf, type ApiRecord, type Page } from './requests';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests({ taskMs: 20 });
});

test('bulk registration takes and gives application/vnd.api+json, the others give application/json', async () => {
	const bulk = await sandbox.api.post(bulkPath, bulkOf(crowd(1, 'media')), {
		headers: { 'Content-Type': 'application/vnd.api+json' },
	});
	expect(bulk.status).toBe(202);
	expect(bulk.headers['content-type']).toContain('application/vnd.api+json');
	for (const Accept of ['application/json', '*/*', '']) {
		const { status, headers } = await sandbox.api.get('/events', { headers: { Accept } });
		expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
	}
});

test('a blocked workspace is a 403, for everything', async () => {
	const block = (blocked: boolean) => sandbox.web.post('/_sandbox/workspace', { blocked });
	await block(true);
	const post = await sandbox.api.post<unknown>(bulkPath, bulkOf(crowd(1)));
	const get = await sandbox.api.get('/events');
	await block(false);
	expect([post.status, get.status]).toEqual([403, 403]);
	expect(detailOf(post)).toMatch(/blocked/);
});

test('the three steps: post, poll until it is over, read the results of every task', async () => {
	const posted = await sandbox.api.post<ApiRecord>(bulkPath, bulkOf([...crowd(19), '']));
	expect(posted.status).toBe(202);
	expect((await sandbox.jobEnd(posted.data.id)).attributes.status).toBe('failed');
	expect((await sandbox.api.get(`/jobs/${posted.data.id}/tasks`)).status).toBe(207);
	const results = await resultsOf(sandbox, posted.data.id);
	expect(results.map(({ status }) => status)).toEqual([
		...Array<string>(19).fill('succeeded'),
		'failed',
	]);

	const { data } = await sandbox.api.get<Page>(`/sessions/${upcomingSession}/people`);
	const emails = data.data.map(({ attributes }) => attributes['email']);
	expect(emails).toEqual(expect.arrayContaining(crowd(19)));
});
