import {
	linesOf,
	mentionsSession,
	quotationsIn,
	closedSessionIn,
	saysUnknownField,
	scopeIn,
} from '../../../nodes/EventPlatform/core/dialect/refusals';

const said = (detail: string) => [{ code: '400', detail }];

test.each([
	[[{ detail: 'The token needs events:read.' }], 'events:read'],
	[[{ code: 'scope', about: 'webhooks:write' }], 'webhooks:write'],
	[[{ detail: 'No' }, { title: 'Add people:write, or people:read' }], 'people:write'],
	[[{ detail: 'The scope is missing' }], undefined],
	[[], undefined],
])('of the errors %j the scope is %s', (errors, scope) => {
	expect(scopeIn(errors)).toBe(scope);
});

test.each([
	['No rights for this Session', true],
	['The event is not yours', true],
	['This webinar is private', true],
	['Not allowed', false],
])('"%s" speaks of a session: %s', (words, speaks) => {
	expect(mentionsSession(said(words))).toBe(speaks);
});

test.each([
	[{ code: 'session_past' }, 'over'],
	[{ detail: 'The session has already ended' }, 'over'],
	[{ detail: 'The session was canceled: nobody can register for it' }, 'canceled'],
	[{ detail: 'This webinar has been cancelled.' }, 'canceled'],
	[{ detail: 'The session is full' }, 'full'],
	[{ title: 'Webinar is already full' }, 'full'],
	[{ detail: "'The session is over' is not a choice of the field 'mood'" }, undefined],
	[{ detail: 'Tell us when the session is over' }, undefined],
	[{ code: 'session_not_found' }, undefined],
	[{}, undefined],
])('the error %j says that the session is %s', (error, closed) => {
	expect(closedSessionIn([{ code: '422', detail: 'Something else' }, error])).toBe(closed);
});

test('each error is a line, so that no quotation goes on in the next', () => {
	const lines = linesOf([
		{ code: '422', title: 'Invalid', detail: "It isn't" },
		{ detail: "No 'a'" },
	]);
	expect(lines.split('\n')).toHaveLength(2);
	expect([...quotationsIn(lines)]).toEqual(['a']);
});

test.each([
	['The field "x" does not exist', true],
	['Unrecognised field', true],
	['No such question', true],
	['x is too long', false],
])('"%s" says that a field does not exist: %s', (words, says) => {
	expect(saysUnknownField(words)).toBe(says);
});
