import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { isOpen, phaseOf, whyClosed } from '../../../nodes/EventPlatform/core/sessions/phase';

const now = Date.parse('2026-11-28T10:00:00Z');
const [past, future] = [now / 1_000 - 60, now / 1_000 + 60];
const planned = { estimated_started_at: future, started_at: 0, ended_at: 0, canceled_at: 0 };

test.each<[string, JsonObject, string]>([
	['is planned', { ...planned, status: 'upcoming' }, 'toCome'],
	['is planned, in other letters', { ...planned, status: ' Upcoming' }, 'toCome'],
	['is planned without a time', { status: 'upcoming', estimated_started_at: null }, 'toCome'],
	['is a draft', { ...planned, status: 'draft' }, 'toCome'],
	[
		'is planned for a time that has passed',
		{ status: 'upcoming', estimated_started_at: past },
		'unclear',
	],
	[
		'is planned for a past time in words',
		{ status: 'upcoming', estimated_started_at: '2026-11-28T09:59:00Z' },
		'unclear',
	],
	[
		'is planned for a time that cannot be read',
		{ status: 'upcoming', estimated_started_at: 'Sat, 28 Nov 2026 11:00:00 GMT' },
		'unclear',
	],
	[
		'is planned for an hour without a zone',
		{ status: 'upcoming', estimated_started_at: '2026-11-28 19:30:00' },
		'unclear',
	],
	[
		'is planned for a time of another kind',
		{ status: 'upcoming', estimated_started_at: { a: 1 } },
		'unclear',
	],
	[
		'is planned and has started at a time that cannot be read',
		{ ...planned, status: 'upcoming', started_at: 'just now' },
		'unclear',
	],
	[
		'has texts for times that are not set',
		{ status: 'upcoming', estimated_started_at: '', started_at: '0', ended_at: false },
		'toCome',
	],
	['is planned and has started', { ...planned, status: 'upcoming', started_at: past }, 'unclear'],
	['is planned and has ended', { ...planned, status: 'upcoming', ended_at: past }, 'unclear'],
	['is planned and canceled', { ...planned, status: 'upcoming', canceled_at: past }, 'unclear'],
	['should have started', { ...planned, status: 'past_not_started' }, 'unclear'],
	['has an unknown status', { ...planned, status: 'rehearsal' }, 'unclear'],
	['has a status that JavaScript knows', { ...planned, status: 'constructor' }, 'unclear'],
	['has no status', planned, 'unclear'],
	['has a status of null', { ...planned, status: null }, 'unclear'],
	['is live', { ...planned, status: 'live' }, 'live'],
	['is on demand and has an end', { status: 'on_demand', ended_at: past }, 'onDemand'],
	['is over', { ...planned, status: 'past' }, 'over'],
	['has ended', { status: 'ended' }, 'over'],
	['is canceled', { status: 'canceled' }, 'canceled'],
	['is cancelled', { status: 'cancelled' }, 'canceled'],
])('a session that %s: %j is %s', (_, attributes, phase) => {
	expect(phaseOf({ type: 'sessions', id: 's', attributes }, now)).toBe(phase);
});

test.each([past, 'soon'])('without our clock a planned start %j says nothing', (start) => {
	const session = { attributes: { status: 'upcoming', estimated_started_at: start } };
	expect([phaseOf(session), phaseOf(session, now)]).toEqual(['toCome', 'unclear']);
});

test('a session of which nothing is shown is unclear', () => {
	expect(phaseOf({}, now)).toBe('unclear');
});

test.each([
	['upcoming', undefined],
	['live', undefined],
	['on_demand', undefined],
	['past_not_started', undefined],
	['a new status', undefined],
	['past', 'Demo is over: nobody can register any more.'],
	['ended', 'Demo is over: nobody can register any more.'],
	['canceled', 'Demo was canceled: nobody can register any more.'],
	['cancelled', 'Demo was canceled: nobody can register any more.'],
])('who registers for a session that is %s is told: %s', (status, why) => {
	const session = { attributes: { status, estimated_started_at: past, ended_at: past } };
	expect(whyClosed({ session }, 'Demo')).toBe(why);
});

const time = 1_800_000_000;

test.each<[what: string, isOpen: boolean, JsonObject]>([
	['upcoming', true, { status: 'upcoming', ended_at: 0, canceled_at: null }],
	['live', true, { status: 'live', started_at: time }],
	['on demand, though it has an end', true, { status: 'on_demand', ended_at: time }],
	['live again after an end', true, { status: 'live', ended_at: time }],
	['upcoming, though it was canceled once', true, { status: 'upcoming', canceled_at: time }],
	['written in capitals', true, { status: ' On_Demand ', ended_at: time }],
	['without a status and an end', true, {}],
	['of an unknown status, without an end', true, { status: 'not past', ended_at: 0 }],
	['past', false, { status: 'past' }],
	['past and never started', false, { status: 'past_not_started', ended_at: 0 }],
	['ended', false, { status: 'ended' }],
	['canceled', false, { status: 'canceled' }],
	['cancelled, in the spelling of events', false, { status: 'cancelled' }],
	['a draft', false, { status: 'draft' }],
	['without a status, with an end', false, { ended_at: time }],
	['of an unknown status, with an end', false, { status: 'archived', ended_at: time }],
])('of a session that is %s it is %s that it is open', (_, isExpected, attributes) => {
	expect(isOpen(attributes)).toBe(isExpected);
});
