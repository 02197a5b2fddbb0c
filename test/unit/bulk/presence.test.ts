import { conclude } from '../../../nodes/EventPlatform/core/bulk/assign';
import { FirstReads, Job } from '../../../nodes/EventPlatform/core/bulk/job';
import { Ledger, settled } from '../../../nodes/EventPlatform/core/bulk/ledger';
import { Meter } from '../../../nodes/EventPlatform/core/bulk/parts';
import { planRun } from '../../../nodes/EventPlatform/core/bulk/plan';
import type { Registrant } from '../../../nodes/EventPlatform/core/sessions/sessionPeople';
import type { TaskResult } from '../../../nodes/EventPlatform/core/jobs/task';
import { candidates, modelScene } from '../../support/simulation';

describe('what follows from it', () => {
	const good: TaskResult = { status: 'registered', errors: [] };
	const bad: TaskResult = { status: 'failed', errors: [{ code: 'banned', message: 'No' }] };
	const there: TaskResult = {
		status: 'already_registered',
		errors: [{ code: 'already_registered', message: 'Is there' }],
	};
	const person = { id: 'p' };
	type Results = Array<TaskResult | undefined>;

	test.each<[string, TaskResult[], string, Results]>([
		['who is there was registered', [good, bad, bad], 'b', [bad, { ...good, person }, bad]],
		['who is there is there already', [there, bad, bad], 'b', [bad, { ...there, person }, bad]],
		['fewer should be there', [bad, bad, bad], 'b', []],
		['a result is missing', [good, bad], 'b', []],
		['some were there before', [good, bad, there], 'ac', [undefined, bad, undefined]],
	])('%s', (_, oneOf, found, results) => {
		const present = new Map<string, Registrant>([...found].map((email) => [email, { person }]));
		expect(conclude(['a', 'b', 'c'], oneOf, present)).toEqual(results);
	});
});

describe('somebody registered already', () => {
	const errors = [{ code: 'already_registered', message: 'Is there.' }];
	const there: TaskResult = { status: 'already_registered', errors };
	const byWords: TaskResult = { ...there, byWords: true };
	const failed: TaskResult = { ...there, status: 'failed' };
	const since = (registeredAt?: number, createdAt?: number): Registrant => {
		return { person: { id: 'p' }, registeredAt, createdAt };
	};

	// The request left at 1000.5 s by our clock, and the platform's clock is ahead by so many milliseconds.
	test.each<[string, Registrant | undefined, string, { lead?: number; result?: TaskResult }?]>([
		['in the second of the request', since(1_000), 'registered'],
		['in the second before', since(999), 'already_registered'],
		['later, as the platform counts', since(1_060), 'registered', { lead: 60_000 }],
		['earlier, as the platform counts', since(1_059), 'already_registered', { lead: 60_000 }],
		['at no time, the person since', since(undefined, 1_001), 'registered'],
		['at no time, the person before', since(undefined, 9), 'already_registered open'],
		['before, the person since', since(9, 1_001), 'registered'],
		['by an unknown clock', since(1_001), 'already_registered open', { lead: NaN }],
		['at no time at all', since(), 'already_registered open'],
		['and not on the list', undefined, 'already_registered open'],
		['who was refused', undefined, 'failed', { result: failed }],
		['by words, not on the list', undefined, 'failed', { result: byWords }],
	])('of a lost request, %s', (_, record, told, { lead = 0, result = there } = {}) => {
		const clockLead = Number.isNaN(lead) ? undefined : lead;
		const outcome = settled({ id: 'j', lostAt: 1_000_500 }, result, record, clockLead);
		const [status = '', open] = told.split(' ');
		expect([outcome.status, outcome.jobId]).toEqual([status, 'j']);
		const codes = status === 'registered' ? [] : ['already_registered'];
		expect(outcome.person).toBe(status === 'failed' ? undefined : record?.person);
		expect(outcome.errors.map(({ code }) => code)).toEqual([
			...codes,
			...(open ? ['answer_lost'] : []),
		]);
		if (open) expect(outcome.errors.at(-1)?.message).toMatch(/may have registered/);
	});
});

test('one result that is left for two people is nobody’s, whoever is registered', async () => {
	const people = candidates(4, 's');
	const before = people.slice(0, 2).map(({ sessionId, email = '' }) => ({ sessionId, email }));
	const { parts, clock } = modelScene({ before });
	const outcomes = new Ledger(planRun(people));
	const refused: TaskResult = { status: 'failed', errors: [{ code: 'banned', message: 'No' }] };
	const email = 'p0@example.com';
	const accepted = (id: string, places: number[], lostAt?: number) => {
		const job = new Job(id, { sessionId: 's', people: places, lostAt }, 0, new FirstReads());
		outcomes.accepted(job);
		return job;
	};
	outcomes.close(accepted('j1', [0, 1, 2]), [{ status: 'registered', email, errors: [] }, refused]);
	// Words alone say that the fourth is registered, whom the session does not show.
	const byWords: TaskResult = { status: 'already_registered', byWords: true, errors: [] };
	outcomes.close(accepted('j2', [3], 1), [byWords]);
	await clock.run(outcomes.askWhoIsThere(parts, new Meter(parts, 900)));
	const statuses = outcomes.all().map(({ status }) => status);
	expect(statuses).toEqual(['registered', 'unknown', 'unknown', 'failed']);
});
