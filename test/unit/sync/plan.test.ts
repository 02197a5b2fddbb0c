import type { Candidate } from '../../../nodes/EventPlatform/core/bulk/plan';
import type { JsonObject } from '../../../nodes/EventPlatform/core/http/ports';
import { requestsOf, planSync, tooManyRemovals } from '../../../nodes/EventPlatform/core/sync/plan';

function row(email: string | undefined, first_name?: string): Candidate {
	const given = Object.entries({ email, first_name });
	const fields = given.flatMap(([id, value]) => (value === undefined ? [] : { id, value }));
	return {
		sessionId: 's',
		email,
		problems: email === undefined ? ['There is no email.'] : [],
		wanted: { fields, tracking: {} },
	};
}

function person(email: string | null, more: JsonObject = {}): JsonObject {
	return {
		id: `id of ${email}`,
		type: 'people',
		attributes: { email, role: 'participant', ...more },
	};
}

function planned(rows: Candidate[], people: JsonObject[], removesOthers = true) {
	return planSync(rows, new Map([['s', people]]), removesOthers);
}

function statuses(rows: Candidate[], people: JsonObject[], removesOthers?: boolean) {
	const plan = planned(rows, people, removesOthers);
	return plan.people.map(({ email }, index) => [email, plan.outcomes[index]?.status]);
}

test.each([
	['a member of the team', { role: 'team_member' }],
	['a guest speaker', { registrant_detail: { is_guest_speaker: true } }],
	['somebody of a role that nobody knows', { role: 'host' }],
	['somebody without a role', { role: null }],
])('%s is neither removed nor updated', (_, more) => {
	const them = person('a@example.com', { first_name: 'Ada', ...more });
	expect(statuses([row('b@example.com')], [them])).toEqual([['b@example.com', 'added']]);
	expect(statuses([row('a@example.com', 'Grace')], [them])).toEqual([
		['a@example.com', 'unchanged'],
	]);
});

test('somebody without an address is not removed, because they may be on the list', () => {
	expect(statuses([row('a@example.com')], [person(null)])).toEqual([['a@example.com', 'added']]);
});

test('two rows for one registered person: the first one counts', () => {
	const rows = [row('A@example.com', 'First'), row('a@Example.com', 'Second')];
	const plan = planned(rows, [person('a@example.com', { first_name: 'Old' })]);
	expect(plan.outcomes.map(({ status }) => status)).toEqual(['updated', 'duplicate']);
	expect(plan.outcomes[0]?.changes).toEqual([{ field: 'first_name', old: 'Old', new: 'First' }]);
	expect([...plan.firstOf]).toEqual([[1, 0]]);
});

test('a session of which nobody is known is left as it is', () => {
	const reason = { code: 'forbidden', message: 'The platform does not allow this.' };
	const plan = planSync([row('a@example.com')], new Map([['s', reason]]), true);
	expect(plan.outcomes).toMatchObject([{ status: 'failed', errors: [{ code: 'forbidden' }] }]);
	expect(requestsOf(plan).requests).toBe(0);
});

test('who is removed stands behind the list, paired to the first row of the session', () => {
	const rows = [{ ...row('x@example.com'), sessionId: 'other' }, row('a@example.com')];
	const plan = planned(rows, [person('a@example.com'), person('b@example.com')]);
	expect(plan.people.map(({ email }) => email)).toEqual([
		'x@example.com',
		'a@example.com',
		'b@example.com',
	]);
	expect([...plan.pairedTo]).toEqual([[2, 1]]);
});

test.each([
	[60, 50, undefined, true],
	[60, 51, undefined, false],
	[2_000, 200, undefined, true],
	[2_000, 201, undefined, false],
	[60, 1, 0, false],
	[2_000, 1_999, 2_000, true],
])('of %i people %i may be removed, at most %j: %j', (total, gone, most, allowed) => {
	const everyone = Array.from({ length: total }, (_, index) => person(`p${index}@example.com`));
	const rows = everyone.slice(gone).map((_, index) => row(`P${index + gone}@example.com`));
	expect(tooManyRemovals(planned(rows, everyone), most) === undefined).toBe(allowed);
});

test('the cost is two requests for fifty additions, and one for each other change', () => {
	const rows = [
		...Array.from({ length: 51 }, (_, index) => row(`new${index}@example.com`)),
		row('a@example.com', 'New'),
		row(undefined),
	];
	const plan = planned(rows, [person('a@example.com'), person('b@example.com')]);
	expect(requestsOf(plan)).toEqual({ requests: 4 + 1 + 1, bySession: new Map([['s', 6]]) });
});
