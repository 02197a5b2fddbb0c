import { Job } from '../../../nodes/EventPlatform/core/registration/job';
import { FirstReads } from '../../../nodes/EventPlatform/core/registration/pace';
import { Ledger } from '../../../nodes/EventPlatform/core/registration/ledger';
import type { Candidate } from '../../../nodes/EventPlatform/core/registration/candidate';
import { planRun } from '../../../nodes/EventPlatform/core/registration/plan';
import type { TaskResult } from '../../../nodes/EventPlatform/core/registration/taskResult';
import { acceptedJob, rowFor } from '../../support/runs/simulation';

const emails = ['Ada@x.io', 'bob@x.io', 'eve@x.io'];
const rows = [...emails.map((email) => rowFor('s', email)), rowFor('s', 'ada@x.io')];
const good = (email?: string): TaskResult => ({ status: 'registered', email, reasons: [] });
const bad = (code = 'banned'): TaskResult => ({
	status: 'failed',
	reasons: [{ code, message: `because ${code}` }],
});

const already: TaskResult = { ...bad('already_registered'), status: 'already_registered' };

/** A job of these people that was accepted. */
function accepted(ledger: Ledger, people: readonly Candidate[], { id = 'j1', lostAt = 0 } = {}) {
	const sessionId = people[0]?.row.sessionId ?? '';
	const batch = { sessionId, people, lostAt: lostAt || undefined };
	const job = new Job(acceptedJob(id), batch, 0, new FirstReads());
	ledger.recordJob(job);
	return job;
}

function started(lostAt?: number) {
	const { candidates } = planRun([...rows, rowFor('other', 'kim@x.io')]);
	const outcomes = new Ledger();
	const job = accepted(outcomes, candidates.slice(0, 3), { lostAt });
	const outcomeOf = (index: number) => candidates[index]?.outcome;
	const statuses = () => candidates.slice(0, 4).map(({ outcome }) => outcome?.status);
	return { outcomes, job, statuses, outcomeOf, candidates };
}

test('an accepted job is under way, with nothing processed', () => {
	const { outcomes, job } = started();
	expect(outcomes.jobs).toEqual([job]);
	expect(job).toMatchObject({
		id: 'j1',
		sessionId: 's',
		people: job.people,
		status: 'processing',
		processed: 0,
		succeeded: 0,
		failed: 0,
	});
});

const state = {
	id: 'j1',
	isFinal: false,
	total: undefined,
	processed: undefined,
	succeeded: undefined,
	failed: undefined,
};

test('a job shows what was last read of it, and its status when that is final', () => {
	const { job } = started();
	job.recordState({ ...state, status: 'odd', processed: 2 });
	job.recordReading({ kind: 'running', processed: 3 }, 0);
	expect(job).toMatchObject({ status: 'processing', processed: 2, succeeded: 0, failed: 0 });
	job.recordState({ ...state, status: 'failed', isFinal: true, succeeded: 1, failed: 2 });
	expect(job).toMatchObject({ status: 'failed', processed: 2, succeeded: 1, failed: 2 });
});

test('the results of a job are the outcomes of its people', () => {
	const { outcomes, job, statuses, outcomeOf } = started();
	job.recordCounts(outcomes.recordResults(job, [bad(), good('ada@x.io'), good('eve@x.io')]));
	expect(statuses()).toEqual(['registered', 'failed', 'registered', 'duplicate']);
	expect(outcomeOf(1)).toEqual({
		status: 'failed',
		jobId: 'j1',
		reasons: bad().reasons,
	});
	expect(job).toMatchObject({ status: 'failed', processed: 3, succeeded: 2, failed: 1 });
	expect(outcomes.openOutcomes).toEqual([]);
});

test('a job without failures has ended, unless the platform says otherwise', () => {
	const { outcomes, job } = started();
	const results = emails.map((email) => good(email.toLowerCase()));
	job.recordCounts(outcomes.recordResults(job, results));
	expect(job.status).toBe('ended');
	const atOtherWords = started();
	atOtherWords.job.recordState({ ...state, status: 'completed', isFinal: true });
	atOtherWords.job.recordCounts(atOtherWords.outcomes.recordResults(atOtherWords.job, [bad()]));
	expect(atOtherWords.job.status).toBe('completed');
});

test.each([
	['with somebody who was not sent', [good('ada@x.io'), good('kim@x.io'), bad()]],
	['with somebody twice', [good('ada@x.io'), good('ada@x.io'), bad(), bad()]],
])('results %s are believed only as far as addresses go', (_, results) => {
	const { outcomes, job, statuses, outcomeOf } = started();
	outcomes.recordResults(job, results);
	expect(statuses().slice(0, 3)).toEqual(['registered', 'unknown', 'unknown']);
	const message = expect.stringContaining('contradict each other') as string;
	expect(outcomeOf(1)?.reasons[0]).toEqual({ code: 'contradictory', message });
});

test('results that could be anybody’s leave people unknown, with all reasons, and a question', () => {
	const { outcomes, job, statuses, outcomeOf } = started();
	outcomes.recordResults(job, [good('bob@x.io'), good(), bad()]);
	expect(statuses().slice(0, 3)).toEqual(['unknown', 'registered', 'unknown']);
	const ada = outcomeOf(0);
	expect(ada?.jobId).toBe('j1');
	expect(ada?.reasons.map(({ code }) => code)).toEqual(['not_assignable', 'banned']);
	expect(outcomes.openOutcomes).toEqual([
		{ job, people: [job.people[0], job.people[2]], results: [good(), bad()] },
	]);
});

test('of a job whose first answer was lost, only those who are registered already are in doubt', () => {
	const { outcomes, job, outcomeOf } = started(1_000);
	outcomes.recordResults(job, [good('ada@x.io'), good('bob@x.io'), already]);
	const [ada, eve] = [outcomeOf(0), outcomeOf(2)];
	expect(ada).toEqual({ status: 'registered', jobId: 'j1', reasons: [] });
	expect(eve?.status).toBe('already_registered');
	expect(outcomes.openOutcomes).toEqual([{ job, people: [job.people[2]], results: [already] }]);
});

test('a job without results says so', () => {
	const { outcomes, job, statuses, outcomeOf } = started();
	outcomes.recordResults(job, []);
	expect(statuses().slice(0, 3)).toEqual(['unknown', 'unknown', 'unknown']);
	const message = 'The job is over, but the platform gave no result for this person.';
	expect(outcomeOf(2)?.reasons).toEqual([{ code: 'no_result', message }]);
	expect(outcomes.openOutcomes).toEqual([]);
});

describe('what a session does with emails', () => {
	const madeUp = '1720628126+528d3ec6-b983-4353-bcbf-eddb1566d013@unknown.livestorm.co';
	const emailsOf = ({ publicSessions, sessionsThatKeepEmails }: Ledger) => ({
		replaces: [...publicSessions],
		keeps: [...sessionsThatKeepEmails],
	});

	test.each<[string, TaskResult[], { replaces?: string[]; keeps?: string[] }]>([
		['of no results', [], {}],
		['of refusals alone', [bad(), bad(), bad()], {}],
		['of successes that show no email', [good(), good(), good()], {}],
		['of an email that nobody has sent', [good('kim@x.io'), bad(), bad()], {}],
		['of somebody registered before', [already, already, already], {}],
		['of an email that was sent', [good('ada@x.io'), bad(), bad()], { keeps: ['s'] }],
		[
			'of the own email of somebody of the team',
			[{ ...good('ada@x.io'), isNoRegistrant: true }, bad(), bad()],
			{},
		],
		[
			'of an email that the platform has made up',
			[good(madeUp), bad(), bad()],
			{ replaces: ['s'] },
		],
		['of both', [good(madeUp), good('eve@x.io'), bad()], { replaces: ['s'], keeps: ['s'] }],
	])('is shown only by the results: %s', (_, results, changes) => {
		const { outcomes, job } = started();
		expect(emailsOf(outcomes)).toEqual({ replaces: [], keeps: [] });
		outcomes.recordResults(job, results);
		expect(emailsOf(outcomes)).toEqual({ replaces: [], keeps: [], ...changes });
	});

	test('is not shown by results that may be those of another session', () => {
		const { outcomes, job, candidates } = started();
		const sameId = accepted(outcomes, candidates.slice(4));
		// None of them is believed, so that the job does not count them either.
		expect(outcomes.recordResults(job, [good('ada@x.io'), good(madeUp), bad()])).toEqual([]);
		expect(outcomes.recordResults(sameId, [good('kim@x.io')])).toEqual([]);
		expect(emailsOf(outcomes)).toEqual({ replaces: [], keeps: [] });
	});

	test('is shown for the session of the job alone', () => {
		const { outcomes, candidates } = started();
		const jobOfOther = accepted(outcomes, candidates.slice(4), { id: 'j2' });
		outcomes.recordResults(jobOfOther, [good('kim@x.io')]);
		expect(emailsOf(outcomes)).toEqual({ replaces: [], keeps: ['other'] });
	});
});
