import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { RefusalHistory } from '../../../nodes/EventPlatform/core/failures/refusalHistory';

const post = { method: 'POST', path: '/sessions/s1/people' } as const;

test.each<[string, Array<'no' | 'not for this session' | 'gone' | 'yes'>, number]>([
	['after one that speaks of its session, too', ['no', 'not for this session', 'no'], 2],
	['that others do not get concerns its session', ['no', 'yes', 'no', 'yes', 'no'], -1],
	['that speaks of its session concerns that', Array(5).fill('not for this session'), -1],
	['or a 404 for more than twenty in a row is nobody’s session', Array(21).fill('gone'), 20],
])('a 403 %s', (_, answers, endsAt) => {
	const refusals = new RefusalHistory();
	const ends = answers.map((answer, session) => {
		if (answer === 'yes') return refusals.recordSuccess();
		const cause = answer === 'gone' ? 'not_found' : 'forbidden';
		const errors = answer === 'not for this session' ? [{ detail: answer }] : [];
		const failed = new Failure(cause, post, { errors });
		return refusals.recordFailure(failed, `${session}`).ends;
	});
	expect(ends.indexOf('run')).toBe(endsAt);
});
