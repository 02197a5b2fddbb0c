import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { Outage } from '../../../nodes/EventPlatform/core/registration/outage';

const read = { isRead: true };
const failedRead = new Failure('platform_error', { method: 'GET', path: '/jobs/j' });

test('a failure that left before one that is over belongs to no outage', () => {
	const outage = new Outage({ responses: 1 });
	outage.recordFailure(failedRead, read, 5_000, 6_000);
	outage.recordResponse(read);
	outage.recordFailure(failedRead, read, 0, 30_000);
	expect(outage.inRow).toBeUndefined();
	expect(outage.resumesAt(read)).toBe(0);
	outage.recordFailure(failedRead, read, 31_000, 32_000);
	expect(outage.inRow?.beganAt).toBe(31_000);
});

test('an outage begins with the first failure, and several that failed together count once', () => {
	const outage = new Outage({ responses: 1 });
	outage.recordFailure(failedRead, read, 2_000, 6_000);
	outage.recordFailure(failedRead, read, 1_000, 7_000);
	expect(outage.inRow?.beganAt).toBe(2_000);
	expect(outage.persistence.failures).toBe(1);
});
