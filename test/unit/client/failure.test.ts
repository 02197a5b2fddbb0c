import { asFailure, Failure } from '../../../nodes/EventPlatform/core/client/failure';

const request = { method: 'GET', path: '/events' } as const;

test('a failure says which request has failed and why', () => {
	const failure = new Failure('not_found', request, { status: 404 });
	expect(failure.message).toBe('GET /events: not_found');
	expect(failure).toMatchObject({ name: 'Failure', cause: 'not_found', status: 404, errors: [] });
});

test('a failure that is made of another takes all but its cause', () => {
	const errors = [{ code: 'full' }];
	const first = new Failure('already_exists', request, {
		status: 409,
		errors,
		retryAt: 5,
	});
	const second = new Failure('unprocessable', request, first);
	expect(second).toMatchObject({
		cause: 'unprocessable',
		status: 409,
		errors,
		retryAt: 5,
	});
});

test('a failure is given back, and a mistake is thrown on', () => {
	const failure = new Failure('unreachable', request);
	expect(asFailure(failure)).toBe(failure);
	const mistake = new TypeError('x is not a function');
	expect(() => asFailure(mistake)).toThrow(mistake);
});
