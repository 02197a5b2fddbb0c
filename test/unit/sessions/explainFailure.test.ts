import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { explainFailure } from '../../../nodes/EventPlatform/core/sessions/explainFailure';
import { SessionCache } from '../../../nodes/EventPlatform/core/sessions/sessionCache';
import { fakePlatform } from '../../support/platform/fakePlatform';

const session = { id: 's', attributes: { name: 'Tour' } };
const failureAt = (path: string) => new Failure('not_found', { method: 'GET', path });

async function sessionsRead(): Promise<SessionCache> {
	const sessions = new SessionCache(fakePlatform(() => ({ data: session })).ask);
	await sessions.read('s');
	return sessions;
}

test('a failure names the session where the run has read it', async () => {
	const words = explainFailure(failureAt('/sessions/s/people'), await sessionsRead());
	expect(words).toMatch(/^'Tour': /);
});

test.each(['/sessions/t/people', '/events/s'])(
	'a failure names no session that the request was not about: %s',
	async (path) => {
		expect(explainFailure(failureAt(path), await sessionsRead())).not.toContain('Tour');
	},
);

test('a failure says what it was about and what to do, also where no session was read', () => {
	expect(explainFailure(failureAt('/sessions/s'))).toMatch(/the session.*\. \S/i);
});

test.each([
	['/jobs/j/tasks', 'the job'],
	['/sessions/s/people/bulk', 'the session'],
])('a failure at %s is about %s', (path, what) => {
	expect(explainFailure(failureAt(path))).toMatch(
		new RegExp(`^The platform cannot find ${what}\\.`),
	);
});

test('a failure in a run does not say that nothing was changed, because something was before', () => {
	const unreachable = new Failure('unreachable', { method: 'GET', path: '/jobs/j/tasks' });
	expect(explainFailure(unreachable)).not.toContain('Nothing was changed');
});

test('a failure of a missing scope names the scope that requests about sessions need', () => {
	const refused = new Failure('missing_scope', { method: 'GET', path: '/sessions/s' });
	expect(explainFailure(refused)).toContain('events');
});
