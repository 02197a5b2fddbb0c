import {
	namesAnotherProblem,
	toldRegistered,
	type Told,
} from '../../../nodes/EventPlatform/core/jobs/alreadyRegistered';

const full = 'All seats are already taken';
const invited = 'Email has already been invited';

test.each<[by: 'code' | 'words', Told[]]>([
	['code', [{ code: 'already_registered' }]],
	['code', [{ code: 'ALREADY-Registered', words: full }]],
	['code', [{ code: 'banned' }, { code: 'already_registered' }]],
	['code', [{ code: '409 already registered' }]],
	['words', [{ code: '422', words: invited }]],
	['words', [{ code: '42201', words: invited }]],
	['words', [{ code: '422 Unprocessable Entity', words: 'has already been taken' }]],
	['words', [{ words: 'ada@example.com is already registered for this session.' }]],
	['words', [{ words: '{"email":["has already been taken"]}' }]],
	['words', [{ words: 'Already registered' }]],
	['words', [{ words: 'has already been taken', about: '/data/attributes/fields/email' }]],
])('by its %s the platform tells that the person is registered: %j', (by, errors) => {
	expect(toldRegistered(errors)).toBe(by);
});

test.each<[Told[]]>([
	[[]],
	// A name decides alone, whatever the words.
	[[{ code: 'session_full', words: full }]],
	[[{ code: 'session_full', words: invited }]],
	[[{ code: 'not_already_registered', words: invited }]],
	[[{ code: 'already_registered_elsewhere', words: invited }]],
	[[{ code: 'session_full' }, { code: '422', words: invited }]],
	[[{ code: 'constructor', words: invited }]],
	[[{ code: 'غير_مسجل', words: invited }]],
	// Words of something else than this person.
	[[{ words: full }]],
	[[{ code: '422', words: 'Phone has already been taken' }]],
	[[{ words: 'The email list has already been taken' }]],
	[[{ words: 'All people are already registered for this session' }]],
	[[{ words: 'has already been taken', about: '/data/attributes/fields/phone' }]],
	[[{ words: '{"email":["has already been taken"],"phone":["is invalid"]}' }]],
	[[{ words: 'The person already registered too many guests' }]],
	[[{ words: 'The session has already ended' }]],
	// Not quite said.
	[[{ words: 'The person is not already registered for this session' }]],
	[[{ words: 'Is the email already registered?!1' }]],
	[[{ words: 'This person is already registered for another session' }]],
	[[{ words: `${invited}. ${full}` }]],
	[
		[
			{ code: '422', words: invited },
			{ code: '422', words: 'Company is invalid' },
		],
	],
	[[{ words: `${'already '.repeat(100_000)}registered` }]],
])('of another refusal it does not: %j', (errors) => {
	expect(toldRegistered(errors)).toBeUndefined();
});

test('a code names another problem only where it is a name, and another one', () => {
	expect(namesAnotherProblem([{ code: 'session_full' }])).toBe(true);
	expect(namesAnotherProblem([{ code: '409', words: full }])).toBe(false);
	expect(namesAnotherProblem([{ code: 'already_registered' }])).toBe(false);
	expect(namesAnotherProblem([])).toBe(false);
});
