import { howRegisteredIsTold } from '../../../nodes/EventPlatform/core/dialect/alreadyRegistered';
import type { PlatformError } from '../../../nodes/EventPlatform/core/dialect/errors';

const full = 'All seats are already taken';
const invited = 'Email has already been invited';

test.each<[by: 'byCode' | 'byWords', PlatformError[]]>([
	['byCode', [{ code: 'already_registered' }]],
	['byCode', [{ code: 'ALREADY-Registered', detail: full }]],
	['byCode', [{ code: 'banned' }, { code: 'already_registered' }]],
	['byWords', [{ code: '422', detail: invited }]],
	['byWords', [{ code: '422 Unprocessable Entity', detail: 'has already been taken' }]],
	['byWords', [{ detail: 'ada@example.com is already registered for this session.' }]],
	['byWords', [{ detail: '{"email":["has already been taken"]}' }]],
	['byWords', [{ detail: 'Identity has already been taken' }]],
	['byWords', [{ detail: 'Validation failed: Identity has already been taken' }]],
	['byWords', [{ detail: 'Participant is already registered for this session' }]],
	['byWords', [{ detail: 'This registrant has already been registered.' }]],
	['byWords', [{ detail: 'Attendee already registered for the webinar' }]],
	['byWords', [{ detail: 'has already been taken', about: '/data/attributes/fields/email' }]],
])('by its %s the platform tells that the person is registered: %j', (by, errors) => {
	expect(howRegisteredIsTold(errors)).toBe(by);
});

test.each<[PlatformError[]]>([
	[[]],
	// A name decides alone, whatever the words.
	[[{ code: 'session_full', detail: full }]],
	[[{ code: 'not_already_registered', detail: invited }]],
	[[{ code: 'already_registered_elsewhere', detail: invited }]],
	[[{ code: 'session_full' }, { code: '422', detail: invited }]],
	// Words of something else than this person.
	[[{ detail: full }]],
	[[{ code: '422', detail: 'Phone has already been taken' }]],
	[[{ detail: 'Validation failed: Phone has already been taken' }]],
	[[{ detail: 'has already been taken', about: '/data/attributes/fields/phone' }]],
	[[{ detail: '{"email":["has already been taken"],"phone":["is invalid"]}' }]],
	[[{ detail: 'The session has already ended' }]],
	[[{ detail: 'The contact person of the participant is already registered' }]],
	[[{ detail: 'All participants are already registered for this session' }]],
	// Not quite said.
	[[{ detail: 'The person is not already registered for this session' }]],
	[[{ detail: 'This person is already registered for another session' }]],
	[[{ detail: `${invited}. ${full}` }]],
	[
		[
			{ code: '422', detail: invited },
			{ code: '422', detail: 'Company is invalid' },
		],
	],
	[[{ detail: `${'already '.repeat(100_000)}registered` }]],
])('of another refusal it does not: %j', (errors) => {
	const isNamed = errors.some(({ code = '422' }) => code !== '422');
	expect(howRegisteredIsTold(errors)).toBe(isNamed ? 'anotherCode' : 'nothing');
});
