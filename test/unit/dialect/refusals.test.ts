import {
	linesOf,
	mentionsSession,
	namesScope,
	quotationsIn,
	closedSessionIn,
	saysBlocked,
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
	[{ detail: 'Insufficient scope' }, true],
	[{ detail: "The required scopes 'events:read' are missing." }, true],
	[{ code: 'MISSING_SCOPE' }, true],
	[{ title: 'insufficient_scope' }, true],
	[{ detail: "Company 'Scopely' is not allowed" }, false],
	[{ detail: "Company 'Scope' is not allowed" }, false],
	[{ detail: 'Registrations from scope.org.uk are not accepted' }, false],
	[{ detail: 'Email ada@scope.org is not accepted' }, false],
	[{ detail: 'Access to the microscope is refused' }, false],
	[{}, false],
])('the error %j says that a scope is missing: %s', (error, names) => {
	expect(namesScope([error])).toBe(names);
});

test.each([
	['The workspace is blocked. Ask its owner to unblock API access.', true],
	['Workspace blocked', true],
	['workspace_blocked', true],
	['Forbidden: your account has been temporarily suspended', true],
	['Access denied. Your organisation was suspended: write an email to support', true],
	["The workspace's API access is blocked", true],
	["Your organization's access to the API has been suspended", true],
	['Blocked workspace', true],
	['API access is blocked for this workspace', true],
	['Registrations from this email domain are blocked', false],
	['This registrant is blocked from the session', false],
	['This registrant is blocked in your workspace', false],
	['Your organization has blocked this email domain', false],
	['The workspace blocked this address', false],
	['People of this organization are blocked', false],
	['This email domain is blocked for the webinars of this workspace', false],
	["The account's contact is suspended", false],
	['The value of company contains a blocked word', false],
	['Your IP address is blocked', false],
	['It is suspended', false],
])('"%s" says that the workspace is blocked: %s', (words, says) => {
	expect([saysBlocked([{ detail: words }]), saysBlocked(said(words))]).toEqual([says, says]);
});

test.each([
	['No rights for this Session', true],
	['The event is not yours', true],
	['This webinar is private', true],
	['session_forbidden', true],
	["The session's owner has to allow it", true],
	['No access to the sessions of a draft', true],
	['Not allowed', false],
	['Your plan prevents access to the API', false],
	['Access ends eventually', false],
	["The name 'Event Company' is not allowed", false],
	['The address ada@event.example is not allowed', false],
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
	[{ code: 'session_over_capacity' }, 'full'],
	[{ code: 'session.full' }, 'full'],
	[{ detail: 'The session is over capacity' }, 'full'],
	[{ detail: 'This session is already over its capacity.' }, 'full'],
	[{ code: 'session_past_not_started' }, 'over'],
	[{ detail: 'The session is over and takes nobody any more' }, 'over'],
	[{ detail: 'The session ended 2 hours ago' }, 'over'],
	[{ detail: 'This webinar is closed for registration.' }, 'over'],
	[{ detail: 'The session was canceled by its owner' }, 'canceled'],
	[{ detail: 'The session is over the limit of your plan' }, undefined],
	[{ detail: 'The session is over-booked' }, undefined],
	[{ detail: 'The session is past its limit of people' }, undefined],
	[{ detail: 'The session is closed to free email addresses' }, undefined],
	[{ detail: 'The session is full for guests of partners' }, undefined],
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
	["Field doesn't exist The field 'x' doesn't exist", ['x']],
	["It isn't 'a', and it doesn't end", ['a']],
	['The value "O\'Brien" is not a choice', ["O'Brien"]],
	['Neither "a" nor `b`', ['a', 'b']],
])('the quotations in %j are %j', (line, quotations) => {
	expect([...quotationsIn(line)]).toEqual(quotations);
});

test.each([
	['The field "x" does not exist', true],
	["422 Invalid The field 'x' doesn't exist", true],
	["Fields 'x', 'y' don't exist", true],
	["Unknown field 'x'", true],
	['Unrecognised field', true],
	['No such question', true],
	["The choice given for the field 'x' doesn't exist", false],
	["The option doesn't exist for the field 'x'", false],
	["Unknown value for 'x'", false],
	["'x' has an unsupported value", false],
	['x is too long', false],
])('"%s" says that a field does not exist: %s', (words, says) => {
	expect(saysUnknownField(words)).toBe(says);
});
