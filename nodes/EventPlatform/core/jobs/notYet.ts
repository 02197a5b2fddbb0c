import type { Cause } from '../client/cause';
import type { Failure } from '../client/failure';

/** The causes of failures with 400, 404, 409, 422, 425 and the like, whatever the body says. */
const causesOfNotYet: readonly Cause[] = [
	'refused',
	'page_out_of_range',
	'not_found',
	'already_exists',
	'unprocessable',
	'incomplete_list',
];

/**
 * Tells whether a failed read of the results of a job may only mean that the job is not over. Nobody has written down what the
 * platform responds before the end, and where there is no result yet, even the first page may be one that does not exist (4.2).
 * Therefore before the end the status of the job decides. After it the list of results may lag behind.
 */
export function mayMeanNotYet({ cause, status = 0 }: Failure): boolean {
	const isWithoutList = cause === 'unexpected_shape' && status >= 200 && status < 300;
	return isWithoutList || causesOfNotYet.includes(cause);
}
