import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { PlatformError } from '../../../nodes/EventPlatform/core/dialect/errors';
import {
	isRegisteredAlready,
	personOfResponse,
} from '../../../nodes/EventPlatform/core/people/registrationResponse';
import { fakePlatform } from '../../support/platform/fakePlatform';

const request = { method: 'POST', path: '/sessions/s/people' } as const;
const person = { id: 'p1', attributes: { email: 'ada@example.com' } };
const responseTo = async (body: object) => await fakePlatform(() => body).ask(request);

test.each<[string, object, unknown]>([
	['in data', { data: person }, person],
	['alone', person, person],
	['flat', { id: 'p1', email: 'ada@example.com' }, { id: 'p1', email: 'ada@example.com' }],
	['beside an empty list of errors', { data: person, errors: [] }, person],
	['nowhere', { ok: true }, undefined],
	['nowhere, in an empty object', {}, undefined],
	['nowhere, in a list', [], undefined],
	['nowhere, with no error', { error: false }, undefined],
	['nowhere, with nothing in data', { data: null, errors: null }, undefined],
])('the response to a registration has the record %s', async (_, body, record) => {
	expect(personOfResponse(request, await responseTo(body))).toEqual(record);
});

test.each([{ errors: [{ detail: 'No' }] }, { error: 'no_seats' }])(
	'a response that names an error is a refusal: %j',
	async (body) => {
		const response = await responseTo(body);
		expect(() => personOfResponse(request, response)).toThrow('refused');
	},
);

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
