import { type ApiRequest, withDeadline } from '../../../nodes/EventPlatform/core/client/request';
import { fakePlatform } from '../../support/platform/fakePlatform';

test('each request gets the deadline, and stays as it is otherwise', async () => {
	const { ask, asked } = fakePlatform(() => ({}));
	const request: ApiRequest = { method: 'GET', path: '/jobs/a', retry: 'never', deadlineAtMs: 9 };
	await withDeadline(ask, 5)(request);
	expect(asked).toEqual([{ ...request, deadlineAtMs: 5 }]);
});
