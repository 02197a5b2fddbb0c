import { outcomesOf } from '../../../nodes/EventPlatform/core/registration/runOutcome';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { emailAndAddressOf, type Row } from '../../../nodes/EventPlatform/core/people/registration';
import { fieldsOf, showAll } from '../../../nodes/EventPlatform/core/records/simplify';
import { runSync } from '../../../nodes/EventPlatform/core/sync/syncRun';
import { fakePlatform, pageOf } from '../../support/platform/fakePlatform';
import { begunRun } from '../../support/runs/begunRun';
import { VirtualClock } from '../../support/time/virtualClock';

const session = '5e550000-0000-4000-8000-00000000000a';
const otherSession = '5e550000-0000-4000-8000-00000000000b';

type Said = Cause | Error | JsonObject | JsonObject[];

/** Somebody who is registered with this company, as the platform shows them. */
function ada(company: string | null = 'Old', id = 'p'): JsonObject {
	const fields = ['company', 'employer'].map((name) => ({ id: name, value: company }));
	const registrant_detail = { fields, referrer: 'r', utm_source: company };
	const email = id === 'p' ? 'Ada@example.com' : `Ada.${id}@example.com`;
	const attributes = { email, role: 'participant', last_name: 'L', registrant_detail };
	return { id, type: 'people', attributes };
}

const fields = ['company', 'employer'].map((id) => ({ id, value: 'New' }));
const registration = {
	fields: [...fields, { id: 'last_name', value: 'L' }],
	tracking: { referrer: 'r', utm_source: 'New' },
};

interface Taking {
	count?: number;
	changes?: boolean;
	/** Cancels the run when the people were listed. */
	cancelled?: boolean;
	/** Where the time of the run is over soon after that. */
	maxWaitSeconds?: number;
}

/** Syncs people who are to be updated or removed, on a platform that says this of each step, request by request; what it said last it goes on to say. The session is still to come. */
async function taken(
	says: readonly Said[] | ((person: number) => Said),
	{ count = 1, changes = false, cancelled = false, maxWaitSeconds = 900 }: Taking = {},
) {
	const cancel = new AbortController();
	const ids = Array.from({ length: count }, (_, index) => (count === 1 ? 'p' : `p${index}`));
	const people = ids.map((id) => ada('Old', id));
	const stays: JsonObject = { id: 's', attributes: { email: 's@x.org', role: 'participant' } };
	let steps = 0;
	const clock = new VirtualClock();
	const { client, asked } = fakePlatform(async ({ method, path, query = {} }) => {
		// Failures of the same moment would count as several.
		await clock.sleep(100);
		const attributes = { status: 'upcoming' };
		if (path === `/sessions/${session}`) return { data: { id: session, attributes } };
		if (method === 'GET' && 'page[number]' in query) {
			if (cancelled) cancel.abort();
			return pageOf([...people, stays], query);
		}
		steps += 1;
		const person = Number(path.split('/p').at(-1));
		const said = typeof says === 'function' ? says(person) : says[Math.min(steps, says.length) - 1];
		return said instanceof Error || typeof said === 'string' ? said : { data: said ?? [] };
	});
	const rowOf = (email: string): Row => {
		return { sessionId: session, ...emailAndAddressOf(email), registration, problems: [] };
	};
	const empty = { fields: [], tracking: {} };
	const list = changes
		? ids.map((id) => rowOf(id === 'p' ? 'ada@example.com' : `ada.${id}@example.com`))
		: [{ ...rowOf('s@x.org'), registration: empty }];
	const parts = begunRun(client, clock, cancel.signal);
	const options = { mayRemoveOthers: !changes, mostRemovals: 100, isDryRun: false };
	const report = await clock.run(runSync(list, parts, { ...options, maxWaitSeconds }));
	const done = changes ? outcomesOf(report) : outcomesOf(report).slice(1);
	const results = done.map(({ status, reasons: [why] }) =>
		status === (changes ? 'updated' : 'removed') ? 'done' : `${status}: ${why?.code}`,
	);
	const isStep = ({ path, query = {} }: (typeof asked)[number]) =>
		path !== `/sessions/${session}` && !('page[number]' in query);
	const stepsAsked = asked.filter(isStep);
	const methods = stepsAsked.map(({ method }) => method).join(' ');
	return { results, done, asked: stepsAsked, methods, stop: report.stop?.code };
}

const [code, patch] = ['already_registered', { method: 'PATCH', path: '' } as const];
const isThere = new Failure('unprocessable', patch, { errors: [{ code }] });

test.each<[string, Said[], string]>([
	['is shown by the answer', [ada('New')], 'done'],
	['is shown by the person only', [ada(), ada('New')], 'done'],
	['is accepted and not made', [ada(), ada()], 'not_updated: still_different'],
	['was made, its answer lost', ['unconfirmed', ada('New')], 'done'],
	['was lost, and was not made', ['unconfirmed', ada()], 'not_updated: not_updated'],
	['leaves a person nobody can read', ['unconfirmed', 'unconfirmed'], 'unknown: unconfirmed'],
	['leaves one who is forbidden to read', ['unconfirmed', 'forbidden'], 'unknown: forbidden'],
	['is of somebody who has left', ['not_found'], 'failed: not_found'],
	['is refused', ['refused'], 'failed: refused'],
	['is refused like a registration', [isThere], 'failed: already_registered'],
	['comes too often', ['rate_limited'], 'failed: rate_limited'],
])('an update that %s', async (_, says, result) => {
	const steps = await taken(says, { changes: true });
	// Each answer is to one request: changes and looks take turns.
	const methods = says.map((_, nth) => (nth % 2 === 0 ? 'PATCH' : 'GET')).join(' ');
	expect([steps.results, steps.methods, steps.stop]).toEqual([[result], methods, undefined]);
	expect(steps.asked[0]).toMatchObject({
		path: `/sessions/${session}/people/p`,
		timeoutMs: 10_000,
	});
	// A value that the platform has already is not sent.
	const attributes = { fields, utm_source: 'New' };
	const body = { data: { type: 'people', id: 'p', attributes } };
	expect(steps.asked[0]?.body).toEqual(body);
	const record = showAll(fieldsOf(ada('New')));
	if (result === 'done') expect(steps.done[0]?.person).toEqual(record);
	const isUnsent = JSON.stringify(steps.done).includes('"Not sent. ');
	expect(isUnsent).toBe(result === 'failed: rate_limited');
});

/** The record of the person in a session. */
function adaIn(session_id: string): JsonObject {
	return { ...ada(), attributes: { email: 'Ada@example.com', registrant_detail: { session_id } } };
}

const fieldsOfMoved = [{ id: 'email', type: 'text', value: 'Ada@example.com' }];
const moved = {
	id: 'p',
	type: 'people',
	attributes: { email: 'new@example.com', registrant_detail: { fields: fieldsOfMoved } },
};
const stranger = { id: 'q', type: 'people', attributes: { email: 'grace@example.com' } };

test.each<[string, Said[], string]>([
	['is not found, nor is the person on the list', ['not_found', []], 'done'],
	['is not found, and the person is on the list', ['not_found', [ada()]], 'failed: not_removed'],
	['has the ID of another record', ['not_found', [{ ...ada(), id: 'q' }]], 'failed: not_removed'],
	['has another address by now', ['not_found', [{ ...stranger, id: 'p' }]], 'failed: not_removed'],
	[
		'has another address by now, and the old one as the answer',
		['not_found', [moved]],
		'failed: not_removed',
	],
	[
		'is not found, and the person is in another session',
		['not_found', [adaIn(otherSession)]],
		'done',
	],
	['is not found, and is in this one', ['not_found', [adaIn(session)]], 'failed: not_removed'],
	['is answered with others', ['not_found', [stranger]], 'unknown: unexpected_shape'],
	['is not found, and the list cannot be read', ['not_found', 'forbidden'], 'unknown: forbidden'],
])('a removal that %s', async (_, says, result) => {
	const steps = await taken(says);
	expect([steps.results, steps.methods, steps.stop]).toEqual([[result], 'DELETE GET', undefined]);
	const [removal, look] = steps.asked;
	expect(removal).toMatchObject({
		path: `/sessions/${session}/people/p`,
		retry: 'never',
	});
	const query = { 'filter[email]': 'Ada@example.com' };
	expect(look).toMatchObject({ path: `/sessions/${session}/people`, query });
});

test.each<[string, Said, string]>([
	['whose credential is not accepted', 'unauthorized', 'failed: unauthorized'],
	['that came after the end of the time', 'time_over', 'failed: time_over'],
	['that met a mistake of ours', new Error('Oops'), 'unknown: unexpected'],
])('a removal %s ends the others, which are not sent', async (_, said, result) => {
	const steps = await taken([said], { count: 30, maxWaitSeconds: 5 });
	const code = result.split(' ')[1];
	expect(steps.stop).toBe(code);
	// No more leave before the first of them is answered.
	expect(steps.asked).toHaveLength(4);
	expect(steps.results.slice(0, 4)).toEqual(steps.asked.map(() => result));
	expect(new Set(steps.results.slice(4))).toEqual(new Set([`failed: ${code}`]));
	expect(JSON.stringify(steps.done[29])).toMatch(/"message":"Not sent\. /);
	const [first] = steps.done;
	const words = result.startsWith('failed')
		? /"message":"Not sent\. /
		: /"Sent, but not confirmed\. /;
	expect(JSON.stringify(first)).toMatch(words);
});

test('a platform that answers no removal ends them after a while, and eight people at most are unknown', async () => {
	const { results, stop } = await taken(['unconfirmed'], { count: 30 });
	expect(stop).toBe('unconfirmed');
	const unknown = results.filter((result) => result === 'unknown: unconfirmed');
	expect(unknown.length).toBeLessThanOrEqual(8);
	expect(results.filter((result) => result === 'failed: unconfirmed')).toHaveLength(
		30 - unknown.length,
	);
});

test('an outage of some seconds ends no removals, and nobody is unknown after it', async () => {
	let attempts = 0;
	// Eight are under way at once.
	const says = () => ((attempts += 1) <= 8 ? 'unconfirmed' : []);
	const { results, stop } = await taken(says, { count: 30 });
	expect([new Set(results), stop]).toEqual([new Set(['done']), undefined]);
});

test('thirty removals that are refused one by one are all sent', async () => {
	const steps = await taken(['refused'], { count: 30 });
	expect([steps.asked.length, steps.stop]).toEqual([30, undefined]);
});

describe('something in front of the platform', () => {
	test('that refuses what the answers of one person look like keeps none of the others back', async () => {
		const says = (person: number) => (person === 3 ? 'not_from_api' : ada('New', `p${person}`));
		const { results, stop } = await taken(says, { changes: true, count: 30 });
		expect(results.map((result) => result === 'done')).toEqual(
			results.map((_, person) => person !== 3),
		);
		expect([results[3], stop]).toEqual(['failed: not_from_api', undefined]);
	});

	test.each([true, false])('that refuses everything ends the run, changes: %s', async (changes) => {
		const steps = await taken(['not_from_api'], { changes, count: 30 });
		expect(new Set(steps.results)).toEqual(new Set(['failed: not_from_api']));
		expect([steps.asked.length, steps.stop]).toEqual([9, 'not_from_api']);
	});
});

test('nobody is removed or updated after the run was cancelled', async () => {
	for (const changes of [false, true]) {
		const { asked, results, stop } = await taken([[]], { cancelled: true, changes, count: 2 });
		expect([asked, stop]).toEqual([[], 'cancelled']);
		expect(results).toEqual(['failed: cancelled', 'failed: cancelled']);
	}
});
