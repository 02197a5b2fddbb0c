import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { meanings } from '../../../nodes/EventPlatform/core/failures/meaning';
import { mayMeanNotYet } from '../../../nodes/EventPlatform/core/registration/jobRequests';

const failure = (cause: Cause, status?: number) =>
	new Failure(cause, { method: 'GET', path: '/jobs/j1/tasks' }, { status });

const causesOfNotYet: readonly string[] = [
	'refused',
	'page_out_of_range',
	'not_found',
	'already_exists',
	'unprocessable',
	'incomplete_list',
];

test.each(Object.keys(meanings) as Cause[])(
	'%s may mean that the job is not over only where the platform refuses what was asked for, or leaves results out',
	(cause) => {
		expect(mayMeanNotYet(failure(cause))).toBe(causesOfNotYet.includes(cause));
	},
);

test.each<[Cause, number | undefined, boolean]>([
	['unexpected_shape', undefined, false],
	['unexpected_shape', 199, false],
	['unexpected_shape', 200, true],
	['unexpected_shape', 299, true],
	['unexpected_shape', 302, false],
	['unexpected_shape', 500, false],
	['not_json', 200, false],
	['platform_error', 200, false],
])('%s with the status %p: %p', (cause, status, isMeant) => {
	expect(mayMeanNotYet(failure(cause, status))).toBe(isMeant);
});

test('the cause decides, whatever the status of the refusal is', () => {
	for (const status of [400, 404, 409, 422, 425]) {
		expect(mayMeanNotYet(failure('refused', status))).toBe(true);
		expect(mayMeanNotYet(failure('forbidden', status))).toBe(false);
	}
});
