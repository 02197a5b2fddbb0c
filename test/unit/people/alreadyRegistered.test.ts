import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { PlatformError } from '../../../nodes/EventPlatform/core/dialect/errors';
import { isRegisteredAlready } from '../../../nodes/EventPlatform/core/people/alreadyRegistered';

const full = 'All seats are already taken';
const invited = 'Email has already been invited';

test.each<[isThere: boolean, Cause, PlatformError[]]>([
	[true, 'already_exists', [{ code: '409', detail: full }]],
	[false, 'already_exists', [{ code: 'session_full' }]],
	[true, 'unprocessable', [{ detail: invited }]],
	[true, 'refused', [{ code: 'already_registered' }]],
	[false, 'refused', []],
	[false, 'forbidden', [{ detail: invited }]],
])('it is %s that a person is registered who is answered: %s %j', (isThere, cause, errors) => {
	expect(isRegisteredAlready({ cause, errors })).toBe(isThere);
});
