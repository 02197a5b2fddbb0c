import { personOf, sandboxOfFile } from '../support/platform/sandbox';
import type { Page } from '../support/platform/requests';
import { upcomingSession } from '../support/platform/seededIds';

const sandbox = sandboxOfFile();
beforeEach(() => sandbox.reset());

const people = `/sessions/${upcomingSession}/people`;
test('empty-page leaves the records out of a page, whose meta still counts them', async () => {
	await sandbox.faults([{ match: { method: 'GET', path: '/v1/sessions' }, do: 'empty-page' }]);
	const page = async () => (await sandbox.api.get<Page>('/sessions')).data;
	const [empty, whole] = [await page(), await page()];
	expect([empty.data, empty.meta]).toEqual([[], whole.meta]);
	expect(whole.data.length).toBeGreaterThan(0);
});

const register = () => sandbox.api.post<unknown>(people, personOf('ada@example.com'));

test.each([
	['reset-before', 'ECONNRESET', 0],
	['reset-after', 'ECONNRESET', 1],
	['truncate', 'ERR_BAD_RESPONSE', 1],
] as const)('%s breaks the connection with %s, and registers %i', async (fault, code, count) => {
	await sandbox.faults([{ match: { method: 'POST', path: '/v1/sessions/*' }, do: fault }]);
	await expect(register()).rejects.toMatchObject({ code });
	expect((await sandbox.api.get<Page>(people)).data.meta.record_count).toBe(count);
});
