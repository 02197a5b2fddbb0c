import { emailAndAddressOf, type Row } from '../../../nodes/EventPlatform/core/people/registration';
import type { Json, JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { addressesOf } from '../../../nodes/EventPlatform/core/people/identity';
import type { Outcome } from '../../../nodes/EventPlatform/core/people/outcome';
import { setOutcome } from '../../../nodes/EventPlatform/core/registration/candidate';
import { planRun } from '../../../nodes/EventPlatform/core/registration/bulkPlan';
import { describePlanned, type SyncCandidate } from '../../../nodes/EventPlatform/core/sync/intent';
import { namesIn, readRegistered } from '../../../nodes/EventPlatform/core/sync/registered';
import { reasonsAfterAdditions } from '../../../nodes/EventPlatform/core/sync/doubts';
import { planSync, type Rules } from '../../../nodes/EventPlatform/core/sync/plan';

function row(email: string | undefined, first_name?: string): Row {
	const answers = Object.entries({ email, first_name });
	const fields = answers.flatMap(([id, value]) => (value === undefined ? [] : { id, value }));
	return {
		sessionId: 's',
		...emailAndAddressOf(email),
		problems: email === undefined ? ['There is no email.'] : [],
		registration: { fields, tracking: {} },
	};
}

function person(email: string | null, more: JsonObject = {}): JsonObject {
	const attributes = { email, role: 'participant', ...more };
	return { id: `id of ${email}`, type: 'people', attributes };
}

const now = Date.parse('2026-11-28T10:00:00Z');
const upcoming: JsonObject = { type: 'sessions', id: 's', attributes: { status: 'upcoming' } };

const freely: Rules = { mayRemoveOthers: true, mostRemovals: 1_000 };

/** A run that takes a quarter of an hour at most. */
const time = { nowMs: now, endsAtMs: now + 900_000 };
const planning = { time, yieldIfDue: () => Promise.resolve() };

/** People as the run reads them from the list of a session, for a list with these rows. */
function registered(
	people: readonly JsonObject[],
	rows: readonly Row[] = [],
	session = { name: "'Demo'", session: upcoming },
) {
	const reading = { session, asked: namesIn(rows) };
	return people.map((record) => readRegistered(record, reading));
}

async function planned(
	rows: Row[],
	people: JsonObject[],
	rules = freely,
	peopleOfOther: JsonObject[] = [],
	session = upcoming,
) {
	const demo = { id: 's', name: "'Demo'", session };
	const sessions = {
		s: { ...demo, people: registered(people, rows, demo) },
		another: {
			id: 'another',
			name: "'Other'",
			session: upcoming,
			people: registered(peopleOfOther, rows),
		},
	};
	const { candidates } = planRun(rows);
	const plan = await planSync(candidates, new Map(Object.entries(sessions)), rules, planning);
	return { plan, refusal: plan.reasonNotToBegin, outcomes: intended(plan.candidates) };
}

/** Gives the intent for each of these people, as a dry run shows it. */
function intended(people: readonly SyncCandidate[]): Outcome[] {
	return people.map(describePlanned);
}

async function statuses(...parameters: Parameters<typeof planned>) {
	return statusOfEach((await planned(...parameters)).plan.candidates);
}

function statusOfEach(people: readonly SyncCandidate[]) {
	return people.map((person) => [person.row.email, describePlanned(person).status]);
}

/**
 * A person of a session, the outcomes where the list has somebody else alone (none of a person who is left alone), and the status where
 * the row of the person has another name.
 */
type Role = [who: string, attributes: JsonObject, notListed: string[], listed: string];

const guest = (is_guest_speaker: Json): JsonObject => ({ registrant_detail: { is_guest_speaker } });

test.each<Role>([
	['a participant', {}, ['would_remove'], 'would_update'],
	['a member of the team', { role: 'team_member' }, [], 'unchanged'],
	['a guest speaker', guest(true), [], 'unchanged'],
	['somebody who is no guest', guest(false), ['would_remove'], 'would_update'],
	['somebody who is a guest 0 times', guest(0), ['would_remove'], 'would_update'],
	['somebody of a role that nobody knows', { role: 'host' }, ['kept'], 'would_update'],
	['somebody without a role', { role: null }, ['kept'], 'would_update'],
])('%s %j is %j where not listed, and listed with another name %s', async (...of) => {
	const [, attributes, notListed, listed] = of;
	const them = person('a@example.com', { first_name: 'Ada', ...attributes });
	const { outcomes } = await planned([row('b@example.com')], [them]);
	expect(outcomes.map(({ status }) => status)).toEqual(['would_add', ...notListed]);
	expect(await statuses([row('a@example.com', 'Grace')], [them])).toEqual([
		['a@example.com', listed],
	]);
});

test('somebody of the team whose row has other answers is left alone, and told which', async () => {
	const fields = ['first_name', 'last_name'].map((id) => ({ id, value: 'Other' }));
	const others = { ...row('a@example.com'), registration: { fields, tracking: {} } };
	const answers = { first_name: 'Ada', last_name: 'Lovelace' };
	for (const role of [{ role: 'team_member' }, guest(true)]) {
		const them = person('a@example.com', { ...answers, ...role });
		const { outcomes } = await planned([others], [them]);
		expect(outcomes[0]?.reasons).toEqual([
			{
				code: 'team_member',
				message:
					"A team member or guest speaker: Sync does not change their answers, and the list has another value for 'first_name', 'last_name'.",
			},
		]);
	}
});

test('somebody who is not on the list has nothing of a row', async () => {
	const { plan } = await planned([row('b@example.com', 'Bob')], [person('a@example.com')]);
	const [, other] = plan.candidates;
	expect(other).toMatchObject({
		row: {
			sessionId: 's',
			email: 'a@example.com',
			registration: { fields: [], tracking: {} },
			problems: [],
		},
		intent: { kind: 'remove' },
	});
	expect(other).not.toHaveProperty('rowNumber');
});

test.each<[string, JsonObject, string]>([
	[
		'role',
		person('h@example.com', { role: 'host' }),
		"The platform gives this person the role 'host', and only participants are removed.",
	],
	[
		'role at all',
		person('h@example.com', { role: null }),
		'The platform gives this person no role, and only participants are removed.',
	],
	[
		'address',
		person(null),
		'The platform shows no address of this person, so the person may be on the list.',
	],
	[
		'address of their own',
		person('1790000000+7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b@unknown.livestorm.co'),
		'The platform has made up the address of this person, so the person may be on the list.',
	],
	['ID', { ...person('h@example.com'), id: null }, 'The platform shows no ID of this person.'],
])('who is no participant with a known %s is kept, and told why', async (_, them, why) => {
	const { outcomes } = await planned([row('b@example.com')], [them]);
	expect(outcomes[1]).toEqual({ status: 'kept', reasons: [{ code: 'kept', message: why }] });
});

test.each([
	['Anna <anna@example.com>', 'anna@example.com'],
	['anna@m\u00fcller.example', 'anna@xn--mller-kva.example'],
	['x@example.com/anna@example.com', 'anna@example.com'],
	['x@example.com|anna@example.com & y@example.com', 'anna@example.com'],
	['x@example.com\uff0canna@example.com', 'anna@example.com'],
	['Anna <r/d@example.com>', 'r/d@example.com'],
	['anna @ example.com', 'anna@example.com'],
])('who is written %j on the list is not removed as %j', async (written, there) => {
	const despite = { ...freely, mayRemoveDespiteProblems: true };
	const left = await statuses([row(written)], [person(there)], despite);
	expect(left.map(([, status]) => status)).not.toContain('would_remove');
});

test('who is on the list with the address of the registration stays, whatever the person has by now', async () => {
	const fields = [{ id: 'email', value: 'Old@example.com' }];
	const renamed = person('new@example.com', { registrant_detail: { fields } });
	for (const email of ['old@example.com', 'new@example.com']) {
		expect(await statuses([row(email)], [renamed])).toEqual([[email, 'unchanged']]);
	}
});

test('a row with another address of somebody whom an earlier row has is a duplicate of that row', async () => {
	const fields = [{ id: 'email', value: 'old@example.com' }];
	const renamed = person('new@example.com', { registrant_detail: { fields } });
	const rows = [row('new@example.com'), row('old@example.com')];
	const { outcomes, plan } = await planned(rows, [renamed]);
	expect(outcomes.map(({ status }) => status)).toEqual(['unchanged', 'duplicate']);
	const [{ code, message } = {}] = outcomes[1]?.reasons ?? [];
	expect([code, message]).toEqual(['duplicate', expect.stringMatching(/with another address\.$/)]);
	const [first, second] = plan.candidates;
	expect(second?.first).toBe(first);
});

test('an address of somebody goes before one that somebody else has only answered', async () => {
	const fields = [{ id: 'email', value: 'b@example.com' }];
	const other = person('a@example.com', { first_name: 'Other', registrant_detail: { fields } });
	const them = person('b@example.com', { first_name: 'Bob' });
	expect(await statuses([row('b@example.com', 'Bob')], [other, them])).toEqual([
		['b@example.com', 'unchanged'],
	]);
});

const unread = row('n@example.com');
const unsure = [
	[
		'a row without an address',
		row(undefined),
		'Row 2 is on the list and was not added: There is no email.',
	],
	[
		'a row without a session',
		{ ...unread, sessionId: '' },
		'The session of row 2 cannot be read, so that row may belong to any session.',
	],
	[
		'a row that is no address',
		{ ...row('nobody'), problems: ['x'] },
		'Row 2 (nobody) is on the list and was not added: x.',
	],
	[
		'a row with a problem, not registered',
		{ ...unread, problems: ['x'] },
		'Row 2 (n@example.com) is on the list and was not added: x.',
	],
	[
		'a row of a session that cannot be read',
		{ ...unread, sessionId: 'gone' },
		'The session of row 2 cannot be read, so that row may belong to any session.',
	],
	[
		'a typing mistake',
		row('carolien@example.com'),
		'Row 2 (carolien@example.com) differs by one typo only from caroline@example.com, who is registered: it may be the same person.',
	],
] as const;

test.each(unsure)(
	'nobody is removed because of %s, unless that is wanted',
	async (_, second, why) => {
		const rows = [row('a@example.com'), second];
		const there = [
			person('a@example.com'),
			person('caroline@example.com'),
			person('b@example.com'),
		];
		const { outcomes } = await planned(rows, there);
		expect(outcomes.slice(2).map(({ status }) => status)).toEqual(['kept', 'kept']);
		expect(outcomes[2]?.reasons[0]?.message).toBe(
			`Not removed. ${why} Nobody is removed from this session until that is cleared up, or 'Remove Despite Problems' is on.`,
		);
		const despite = await statuses(rows, there, { ...freely, mayRemoveDespiteProblems: true });
		expect(despite.slice(2).map(([, status]) => status)).toEqual(['would_remove', 'would_remove']);
	},
);

test('a doubt about each row is told with the first of them, and how many more there are', async () => {
	const people = ['a', 'b', 'c', 'd'].map((name) => person(`${name}@example.com`));
	const rows = people.map(() => ({ ...row('nobody'), problems: ['x'] }));
	const last = (await planned(rows, people)).outcomes.at(-1);
	expect(last?.reasons[0]?.message).toMatch(
		/^Not removed\. .* And 3 more like this\. Nobody is removed from this session until that is cleared up, or 'Remove Despite Problems' is on\.$/,
	);
});

test('somebody without an address is nobody of the list', async () => {
	expect(addressesOf(person(null))).toEqual([]);
	const both = await statuses([row('')], [person(null)]);
	expect(both.flat()).toEqual(['', 'invalid', '', 'kept']);
});

test('a row that is not sent is no doubt where its person is registered', async () => {
	const rows = ['a', 'b', 'd', 'd'].map((name) => row(`${name}@example.com`));
	rows[0] = { ...row('a@example.com'), problems: ['x'] };
	const there = [person('a@example.com'), person('b@example.com'), person('c@example.com')];
	expect((await statuses(rows, there)).at(-1)).toEqual(['c@example.com', 'would_remove']);
	const removed = { status: 'would_remove', reasons: [] };
	expect((await planned(rows, there)).outcomes.at(-1)).toMatchObject(removed);
});

test.each(['max@firma', 'max@firma, eva@example.com'])(
	'who is registered with an address in a row that cannot be sent is not removed, whatever the doubts: %s',
	async (email) => {
		const people = ['max@firma', 'bob@example.com'].map((address) => person(address));
		const rows = [{ ...row(email), problems: ['x'] }];
		const rules = { ...freely, mayRemoveDespiteProblems: true };
		expect(await statuses(rows, people, rules)).toEqual([
			[email, 'invalid'],
			['bob@example.com', 'would_remove'],
		]);
	},
);

test('whose ID the platform does not show is not updated, and the others are', async () => {
	const there = [{ ...person('a@example.com'), id: null }, person('b@example.com')];
	const rows = [row('a@example.com', 'Ada'), row('b@example.com', 'Bob')];
	expect((await planned(rows, there)).outcomes).toMatchObject([
		{ status: 'failed', reasons: [{ code: 'no_id' }] },
		{ status: 'would_update' },
	]);
});

test('a session of which nobody is known is left as it is', async () => {
	const reason = { code: 'forbidden', message: 'The platform refused access.' };
	const registered = new Map([['s', { id: 's', name: 'Demo', reasonNotToSend: reason }]]);
	const { candidates } = planRun([row('a@example.com')]);
	const plan = await planSync(candidates, registered, freely, planning);
	const outcome = { status: 'failed', reasons: [{ code: 'forbidden' }] };
	expect(intended(plan.candidates)).toMatchObject([outcome]);
	expect([plan.batches, plan.reasonNotToBegin]).toEqual([[], undefined]);
});

interface Removals {
	people: number;
	removed: number;
	mostRemovals?: number;
}

/** Removes those whom the list does not have, from a session of p0, p1 … */
async function refusalOf({ people, removed, mostRemovals }: Removals) {
	const everyone = Array.from({ length: people }, (_, index) => person(`p${index}@example.com`));
	const rows = everyone.slice(removed).map((_, index) => row(`P${index + removed}@example.com`));
	const rules = { mayRemoveOthers: true, mostRemovals, mayRemoveDespiteProblems: true };
	return (await planned(rows, everyone, rules)).refusal;
}

test.each<Removals & { limit: number }>([
	{ people: 60, removed: 12, limit: 12 },
	{ people: 3, removed: 1, limit: 1 },
	{ people: 2_000, removed: 1_999, mostRemovals: 2_000, limit: 2_000 },
])('of $people people $removed may be removed, at most $limit', async (removals) => {
	expect(await refusalOf(removals)).toBeUndefined();
});

const [p0, p1] = ['p0@example.com', 'p1@example.com'];
const firstFive = `${p0}, ${p1}, p2@example.com, p3@example.com, p4@example.com`;

interface TooManyRemovals extends Removals {
	limit: number;
	names: string;
}

test.each<TooManyRemovals>([
	{ people: 60, removed: 13, limit: 12, names: `${firstFive} and 8 more` },
	{ people: 3, removed: 2, limit: 1, names: `${p0}, ${p1}` },
	{ people: 60, removed: 1, mostRemovals: 0, limit: 0, names: p0 },
	{ people: 60, removed: 5, mostRemovals: 4, limit: 4, names: firstFive },
])('of $people people $removed are too many to be removed, at most $limit', async (removals) => {
	const { people, removed, limit, names } = removals;
	expect(await refusalOf(removals)).toEqual({
		code: 'too_many_removals',
		message: `The list would remove ${removed} of ${people} people from 'Demo', and at most ${limit} may be removed. They are ${names}.`,
	});
});

test('a fifth of a session is a fifth of its participants, of whom an address and an ID are shown', async () => {
	const participants = Array.from({ length: 10 }, (_, index) => person(`p${index}@example.com`));
	const uncounted = [
		person('team@example.com', { role: 'team_member' }),
		person('guest@example.com', guest(true)),
		person('host@example.com', { role: 'host' }),
		person(null),
		{ ...person('nobody@example.com'), id: null },
	];
	const refusalFor = async (gone: number) => {
		const rows = participants.slice(gone).map((_, index) => row(`p${index + gone}@example.com`));
		return (await planned(rows, [...participants, ...uncounted], { mayRemoveOthers: true }))
			.refusal;
	};
	expect(await refusalFor(2)).toBeUndefined();
	expect((await refusalFor(3))?.message).toMatch(
		/^The list would remove 3 of 10 people .* at most 2 may/,
	);
});

test('a typing mistake is told to everybody whom it concerns in the same words, which name its row and its person', async () => {
	const rows = [
		{ ...row('x@example.com'), sessionId: 'another' },
		row('carolien@example.com'),
		row('b@example.com'),
	];
	const there = [person('caroline@example.com'), person('a@example.com')];
	const { plan, outcomes } = await planned(rows, there);
	expect(plan.candidates.slice(3).map(({ row }) => row.email)).toEqual([
		'caroline@example.com',
		'a@example.com',
	]);
	const mistake =
		'Row 2 (carolien@example.com) differs by one typo only from caroline@example.com, who is registered: it may be the same person.';
	const [, carolien, b, caroline, a] = outcomes;
	const message = `Not sent. ${mistake} Correct the list, or turn on 'Remove Despite Problems' to add the one and remove the other.`;
	const reasons = [{ code: 'typing_mistake', message }];
	expect(carolien).toEqual({ status: 'invalid', reasons });
	expect(b).toEqual({ status: 'would_add', reasons: [] });
	const kept = `Not removed. ${mistake} Nobody is removed from this session until that is cleared up, or 'Remove Despite Problems' is on.`;
	expect([caroline, a]).toEqual(
		[1, 2].map(() => ({ status: 'kept', reasons: [{ code: 'kept', message: kept }] })),
	);
	expect(plan.notListedCount).toBe(2);
});

test('of two people with one address the participant is that of the row, whoever is listed first', async () => {
	const ofTeam = { ...person('a@example.com', { role: 'team_member' }), id: 'team' };
	const participant = person('a@example.com', { first_name: 'Ada' });
	for (const people of [
		[ofTeam, participant],
		[participant, ofTeam],
	]) {
		const { plan } = await planned([row('a@example.com', 'Grace')], people);
		expect(plan.candidates).toMatchObject([
			{ person: { id: 'id of a@example.com' }, intent: { kind: 'update' } },
		]);
	}
});

test('each of two people is kept whose address differs by a typo from that of a registered person of the list', async () => {
	const twins = ['first', 'second'].map((id) => ({ ...person('benjamin@example.com'), id }));
	const there = [person('benjamim@example.com'), person('leaves@example.com')];
	expect(await statuses([row('benjamim@example.com')], [...twins, ...there])).toEqual([
		['benjamim@example.com', 'unchanged'],
		['benjamin@example.com', 'kept'],
		['benjamin@example.com', 'kept'],
		['leaves@example.com', 'would_remove'],
	]);
});

test('somebody who may be the person of a row is told that first, and the others what the list has first', async () => {
	const rows = [row('carolien@example.com'), row(undefined)];
	const there = [person('caroline@example.com'), person('a@example.com')];
	const [, , caroline, a] = (await planned(rows, there)).outcomes;
	expect(caroline?.reasons[0]?.message).toMatch(
		/^Not removed\. Row 1 \(carolien.* And 1 more like this/,
	);
	expect(a?.reasons[0]?.message).toMatch(
		/^Not removed\. Row 2 is on the list .* And 1 more like this/,
	);
});

const past = now / 1_000 - 60;

const notCertain = (status: string) =>
	`It is not certain that 'Demo' is still to come: the platform gives it the status '${status}', and one of its times has passed or cannot be read, or the status is not known. Nobody is removed from such a session.`;

test.each<[string, JsonObject, string]>([
	[
		'is over',
		{ status: 'past' },
		"'Demo' is over. Nobody is removed from a session that is over, because the record of who attended would be lost.",
	],
	[
		'was canceled',
		{ status: 'canceled' },
		"'Demo' was canceled. Nobody is removed from a canceled session.",
	],
	[
		'is live',
		{ status: 'live' },
		"'Demo' is live. Nobody is removed from a session while it takes place.",
	],
	[
		'has no status',
		{},
		"It is not certain that 'Demo' is still to come: the platform gives it no status. Nobody is removed from such a session.",
	],
	['has an unknown status', { status: 'rehearsal' }, notCertain('rehearsal')],
	['should have begun', { status: 'past_not_started' }, notCertain('past_not_started')],
	['has begun', { status: 'upcoming', started_at: past }, notCertain('upcoming')],
	['is due', { status: 'upcoming', estimated_started_at: past }, notCertain('upcoming')],
	[
		'is planned for a time that cannot be read',
		{ status: 'upcoming', estimated_started_at: 'Sat, 28 Nov 2026 09:59:00 GMT' },
		notCertain('upcoming'),
	],
	[
		'is planned for an hour in a zone that does not exist',
		{ status: 'upcoming', estimated_started_at: '2026-11-28 18:59:00', timezone: 'Tokyo' },
		notCertain('upcoming'),
	],
	[
		'is planned to begin before the run can be over',
		{ status: 'upcoming', estimated_started_at: now / 1_000 + 890 },
		"'Demo' is planned to begin before this run can be over, which has the time of 'Max Wait'. Nobody is removed from such a session.",
	],
	[
		'is on demand',
		{ status: 'on_demand' },
		"People may watch the replay of 'Demo' at any time. Nobody is removed from a session on demand.",
	],
])(
	'nobody is removed from a session that %s, whatever the options are',
	async (_, attributes, why) => {
		const session = { type: 'sessions', id: 's', attributes };
		const rules: Rules = { mayRemoveOthers: true, mostRemovals: 0, mayRemoveDespiteProblems: true };
		const there = [person('a@example.com'), person('b@example.com')];
		const { plan, outcomes } = await planned([row('a@example.com')], there, rules, [], session);
		expect(outcomes.map(({ status }) => status)).toEqual(['unchanged', 'kept']);
		expect(outcomes[1]?.reasons[0]?.message).toBe(why);
		// Nobody would be removed, so it cannot be too many.
		expect(plan.reasonNotToBegin).toBeUndefined();
	},
);

test.each<[string, JsonObject]>([
	['attended', { attended: true }],
	['attended, in words', { attended: 'Yes' }],
	['was there for some time', { attended: false, attendance_duration: 12 }],
	['has a rate of attendance', { attended: null, attendance_rate: '3' }],
	['watched the replay', { attended: false, has_viewed_replay: 1 }],
	['watched it, as the details say', { attended: false, replay_view_detail: { views_count: 1 } }],
	['watched it for no minute', { replay_view_detail: { views_count: 1, minutes: 0 } }],
	['watched it several times', { replay_view_detail: ['once', 'twice'] }],
	['attended, in other words', { attended: 'no longer' }],
	['attended, who knows when', { attended: 'unknown: false' }],
])('somebody who %s is never removed', async (_, registrant_detail) => {
	const there = [person('b@example.com', { registrant_detail })];
	const rules = { ...freely, mayRemoveDespiteProblems: true };
	const { outcomes } = await planned([row('a@example.com')], there, rules);
	expect(outcomes.map((outcome) => outcome.status)).toEqual(['would_add', 'kept']);
	expect(outcomes[1]?.reasons[0]?.message).toBe(
		"The person attended 'Demo' or watched its replay, and the record of that would be lost.",
	);
});

test.each<[string, JsonObject]>([
	['alone', { attended: true }],
	[
		'with none in it',
		{ replay_view_detail: { views_count: 1 }, registrant_detail: { replay_view_detail: null } },
	],
])(
	'an attendance that a record shows beside the registration counts, %s',
	async (_, attributes) => {
		const there = [person('b@example.com', attributes)];
		expect(await statuses([row('a@example.com')], there)).toContainEqual(['b@example.com', 'kept']);
	},
);

const absent = {
	attended: false,
	attendance_rate: null,
	attendance_duration: 0,
	has_viewed_replay: false,
	replay_view_detail: { views_count: 0 },
};

test.each<[string, JsonObject]>([
	['has not watched', absent],
	['has not watched anything', { ...absent, replay_view_detail: [] }],
	['has watched no time', { ...absent, replay_view_detail: { count: 0 } }],
	['has a rate of nothing, as a text', { ...absent, attendance_rate: '0.0' }],
	['has empty details', { ...absent, replay_view_detail: {} }],
])('somebody who %s may be removed', async (_, registrant_detail) => {
	const there = [person('b@example.com', { registrant_detail })];
	expect(await statuses([row('a@example.com')], there)).toContainEqual([
		'b@example.com',
		'would_remove',
	]);
});

test('a session that is planned to begin when the run is over is still to come', async () => {
	const attributes = { status: 'upcoming', estimated_started_at: now / 1_000 + 901 };
	const session = { type: 'sessions', id: 's', attributes };
	const there = [person('b@example.com')];
	const { outcomes } = await planned([row('a@example.com')], there, freely, [], session);
	expect(outcomes.map(({ status }) => status)).toEqual(['would_add', 'would_remove']);
});

test.each([
	['an empty session', ''],
	['a session that cannot be read', 'gone'],
])(
	'whose address stands in a row with %s stays in every session, whatever the options are',
	async (_, id) => {
		const problems = id === '' ? ["'Session' is empty"] : [];
		const stray = { ...row('Anna <anna@example.com>'), sessionId: id, problems };
		const rows = [row('a@example.com'), stray];
		const rules: Rules = { mayRemoveOthers: true, mostRemovals: 1, mayRemoveDespiteProblems: true };
		const there = ['a', 'anna', 'b'].map((name) => person(`${name}@example.com`));
		const { plan } = await planned(rows, there, rules);
		expect(statusOfEach(plan.candidates.slice(2))).toEqual([['b@example.com', 'would_remove']]);
		expect(plan.notListedCount).toBe(1);
	},
);

test.each<[string, JsonObject | undefined, string | undefined]>([
	[
		'without a record keeps',
		undefined,
		'Not removed. Row 1 (a@example.com) was added, and the platform does not show as whom.',
	],
	[
		'with a record without an ID keeps',
		{ id: null },
		'Not removed. Row 1 (a@example.com) was added, and the platform does not show as whom.',
	],
	['with a record keeps nobody but', { id: 'q' }, undefined],
	[
		'with the ID of somebody registered keeps',
		{ id: 'id of b@example.com' },
		'The person was added by Row 1 (a@example.com) in this run, as the ID shows, and is not removed from the session.',
	],
])('an addition %s somebody who would be removed', async (_, record, message) => {
	const { plan } = await planned([row('a@example.com')], [person('b@example.com')]);
	const [added, registeredPerson] = plan.candidates;
	const outcome: Outcome = { status: 'added', person: record, reasons: [] };
	if (added) setOutcome([added], outcome);
	const reasons = reasonsAfterAdditions(plan.candidates);
	const reason = registeredPerson && reasons.get(registeredPerson);
	if (message === undefined) expect(reason).toBeUndefined();
	else expect(reason?.message).toContain(message);
});

test.each<[string, Outcome, string[]]>([
	[
		'that is registered already keeps',
		{ status: 'already_registered', reasons: [] },
		[
			'Row 1 (a@example.com) is registered already, as the platform says, but its list of people does not show this address.',
		],
	],
	[
		'that was refused keeps',
		{ status: 'failed', reasons: [{ code: 'refused', message: 'The name is too long.' }] },
		['Row 1 (a@example.com) is on the list and was not added: The name is too long.'],
	],
	[
		'that ended without a reason keeps',
		{ status: 'unknown', reasons: [] },
		['Row 1 (a@example.com) is on the list and was not added: unknown'],
	],
	['that is sent with another row keeps nobody but', { status: 'duplicate', reasons: [] }, []],
])(
	'an addition %s somebody who would be removed, unless that is wanted',
	async (_, outcome, why) => {
		const { plan } = await planned([row('a@example.com')], [person('b@example.com')]);
		const { candidates } = plan;
		setOutcome(candidates.slice(0, 1), outcome);
		const messages = [...reasonsAfterAdditions(candidates).values()].map(({ message }) => message);
		expect(messages).toEqual(
			why.map((doubt) => expect.stringContaining(`Not removed. ${doubt}`) as string),
		);
		expect(reasonsAfterAdditions(candidates, true).size).toBe(0);
	},
);
