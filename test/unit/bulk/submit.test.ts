import { meaningOf, submit, type Meaning } from '../../../nodes/EventPlatform/core/bulk/submit';
import { RunState } from '../../../nodes/EventPlatform/core/bulk/state';
import { Failure, type Cause } from '../../../nodes/EventPlatform/core/http/failure';
import type { Api, ApiRequest } from '../../../nodes/EventPlatform/core/http/ports';
import { planRun } from '../../../nodes/EventPlatform/core/bulk/plan';
import { candidates } from '../../support/simulation';
import { VirtualClock } from '../../support/virtualClock';

const request = { method: 'POST', path: '/sessions/s%201/people/bulk' } as const;
const people = candidates(3);
const chunk = { sessionId: 's 1', people: [2, 0, 7] };

test('the people of a chunk are sent as tasks, in its order', async () => {
	const asked: ApiRequest[] = [];
	const submitted = await submit(chunk, people, (sent) => {
		asked.push(sent);
		return Promise.resolve({ status: 202, headers: {}, body: { id: 'j1', attributes: {} } });
	});
	expect(submitted).toMatchObject({ job: { id: 'j1' } });
	expect(asked).toEqual([
		{
			...request,
			body: { data: { type: 'jobs', attributes: { tasks: [people[2]?.task, people[0]?.task] } } },
			contentType: 'application/vnd.api+json',
		},
	]);
});

test('an answer without a job leaves open what the platform does', async () => {
	const answer = { status: 202, headers: {}, body: 'ok' };
	const submitted = await submit(chunk, people, () => Promise.resolve(answer));
	expect(submitted).toMatchObject({
		meaning: 'open',
		failure: { reason: 'unexpected_shape', status: 202, request },
	});
});

const said = { errors: [{ detail: 'Because.' }] };

test.each<[Cause, Meaning]>([
	['refused', 'refused'],
	['unprocessable', 'refused'],
	['already_exists', 'refused'],
	['page_out_of_range', 'refused'],
	['platform_error', 'open'],
	['unconfirmed', 'open'],
	['not_json', 'open'],
	['unexpected_shape', 'open'],
	['unreachable', 'unsent'],
	['rate_limited', 'unsent'],
	['not_found', 'session'],
	['forbidden', 'session'],
	['unauthorized', 'run'],
	['reconnect', 'run'],
	['missing_scope', 'run'],
	['workspace_blocked', 'run'],
	['allowance_spent', 'run'],
	['quota_spent', 'run'],
	['time_over', 'run'],
])('"%s" means "%s"', async (cause, meaning) => {
	const failure = new Failure(cause, request, said);
	const submitted = await submit(chunk, people, () => Promise.reject(failure));
	expect(submitted).toEqual({ failure, meaning });
	expect('failure' in submitted && submitted.failure).toBe(failure);
});

test.each<Cause>(['missing_scope', 'workspace_blocked'])(
	'"%s" without words may be about one session only',
	(cause) => {
		expect(meaningOf(new Failure(cause, request))).toBe('session');
	},
);

test('a mistake of ours is not taken for the platform', async () => {
	const mistake = new TypeError('x is undefined');
	await expect(submit(chunk, people, () => Promise.reject(mistake))).rejects.toBe(mistake);
});

test('requests are counted by session, and end with the time', async () => {
	const asked: ApiRequest[] = [];
	const call = (one: ApiRequest) => {
		asked.push(one);
		return Promise.resolve({ status: 200, headers: {}, body: {} });
	};
	const api: Api = Object.assign(call, { usage: { requests: 0, perSecond: 5 } });
	const clock = new VirtualClock();
	const parts = { api, clock, explain: () => '' };
	const options = { waits: true, maxWaitSeconds: 9, isolates: true };
	const run = new RunState(planRun([]), parts, options);
	await run.askFor('a')(request);
	await run.askFor('a')(request);
	await run.askFor('b')(request);
	expect([...run.requestsBySession]).toEqual([
		['a', 2],
		['b', 1],
	]);
	expect(asked[0]).toEqual({ ...request, deadline: clock.now() + 9_000 });
	await new RunState(planRun([]), parts, { ...options, waits: false }).askFor('a')(request);
	expect(asked[3]).toEqual(request);
});
