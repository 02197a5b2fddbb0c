import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { collectingView } from '../../../nodes/EventPlatform/core/records/personView';
import { findChanges } from '../../../nodes/EventPlatform/core/people/changes';
import type { Entry, Intent } from '../../../nodes/EventPlatform/core/sync/intent';
import { Outcomes } from '../../../nodes/EventPlatform/core/sync/outcomes';
import { fieldsOf, showAll } from '../../../nodes/EventPlatform/core/records/simplify';
import { Rewriting } from '../../../nodes/EventPlatform/core/dialect/rewriting';
import { isSameBeyondDoubt } from '../../../nodes/EventPlatform/core/people/sameAnswer';
import { Steps } from '../../../nodes/EventPlatform/core/sync/steps';
import { fakePlatform } from '../../support/platform/fakePlatform';
import { modelScene } from '../../support/runs/simulation';

type Said = Cause | Error | JsonObject | JsonObject[];

/** Somebody who is registered with this company, as the platform shows them. */
function ada(company: string | null = 'Old', id = 'p'): JsonObject {
	const fields = ['company', 'employer'].map((name) => ({ id: name, value: company }));
	const registrant_detail = { fields, referrer: 'r', utm_source: company };
	const attributes = { email: 'Ada@example.com', last_name: 'L', registrant_detail };
	return { id, type: 'people', attributes };
}

const fields = ['company', 'employer'].map((id) => ({ id, value: 'New' }));
const registration = {
	fields: [...fields, { id: 'last_name', value: 'L' }],
	tracking: { referrer: 'r', utm_source: 'New' },
};

/** Takes steps on a platform that says this, request by request; what it said last it goes on to say. */
async function taken(says: readonly Said[], { count = 1, changes = false, aborted = false } = {}) {
	const { ask, asked } = fakePlatform((_, nth) => {
		const said = says[Math.min(nth, says.length) - 1] ?? [];
		return said instanceof Error || typeof said === 'string' ? said : { data: said };
	});
	const { parts } = modelScene();
	const signal = aborted ? AbortSignal.abort() : undefined;
	const status = changes ? 'updated' : 'removed';
	const differing = findChanges(ada(), registration, isSameBeyondDoubt);
	const intent: Intent = changes ? { kind: 'update', changes: differing } : { kind: 'remove' };
	const people = Array.from({ length: count }, (_, index): Entry => {
		const row = { sessionId: 's', address: '', registration, problems: [] };
		return { ...row, index, person: ada(), intent };
	});
	const outcomes = new Outcomes();
	const steps = new Steps(
		{ ...parts, signal },
		{ meter: { askFor: () => ask }, view: collectingView() },
		new Rewriting(),
		outcomes,
	);
	await steps.updateAll(people);
	await steps.removeAll(people);
	const done = people.map((entry) => outcomes.outcomeOf(entry));
	const results = done.map(({ status: is, reasons: [why] }) =>
		is === status ? 'done' : `${is}: ${why?.code}`,
	);
	const methods = asked.map(({ method }) => method).join(' ');
	return { results, done, asked, methods, stop: steps.stop?.code };
}

const [code, patch] = ['already_registered', { method: 'PATCH', path: '' } as const];
const isThere = new Failure('unprocessable', patch, { errors: [{ code }] });

test.each<[string, Said[], string]>([
	['is shown by the answer', [ada('New')], 'done'],
	['is shown by the person only', [ada(), ada('New')], 'done'],
	['is accepted and not made', [ada(), ada()], 'not_updated: still_different'],
	['was made, its answer lost', ['unconfirmed', ada('New')], 'done'],
	['was lost, and is made at the second try', ['unconfirmed', ada(), ada('New')], 'done'],
	['is lost twice', ['unconfirmed', ada(), 'platform_error', ada()], 'not_updated: not_updated'],
	['cannot be sent again', ['unconfirmed', ada(), 'unreachable'], 'not_updated: not_updated'],
	['was lost, and is refused then', ['unconfirmed', ada(), 'refused'], 'failed: refused'],
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
	expect(steps.asked[0]).toMatchObject({ path: '/sessions/s/people/p', timeoutMs: 10_000 });
	// A value that the platform has already is not sent.
	const attributes = { fields, utm_source: 'New' };
	const body = { data: { type: 'people', id: 'p', attributes } };
	expect(steps.asked[0]?.body).toEqual(body);
	const record = showAll(fieldsOf(ada('New')));
	if (result === 'done') expect(steps.done[0]?.person).toEqual(record);
	const isUnsent = JSON.stringify(steps.done).includes('"Not sent. ');
	expect(isUnsent).toBe(result === 'failed: rate_limited');
});

const stranger = { id: 'q', type: 'people', attributes: { email: 'grace@example.com' } };

test.each<[string, Said[], string]>([
	['is not found, nor is the person on the list', ['not_found', []], 'done'],
	['is not found, and the person is on the list', ['not_found', [ada()]], 'failed: not_removed'],
	['has the ID of another record', ['not_found', [ada('Old', 'q')]], 'failed: not_removed'],
	['has another address by now', ['not_found', [{ ...stranger, id: 'p' }]], 'failed: not_removed'],
	['is answered with others', ['not_found', [stranger]], 'unknown: unexpected_shape'],
	['is not found, and the list cannot be read', ['not_found', 'forbidden'], 'unknown: forbidden'],
])('a removal that %s', async (_, says, result) => {
	const steps = await taken(says);
	expect([steps.results, steps.methods, steps.stop]).toEqual([[result], 'DELETE GET', undefined]);
	const [removal, look] = steps.asked;
	expect(removal).toMatchObject({ path: '/sessions/s/people/p', retry: 'safe' });
	const query = { 'filter[email]': 'Ada@example.com' };
	expect(look).toMatchObject({ path: '/sessions/s/people', query });
});

test.each<[string, Said, string]>([
	['whose credential is not accepted', 'unauthorized', 'failed: unauthorized'],
	['that is forbidden', 'forbidden', 'failed: forbidden'],
	['that came after the end of the time', 'time_over', 'failed: time_over'],
	['that met a mistake of ours', new Error('Oops'), 'unknown: unexpected'],
])('a removal %s ends the others, which are not sent', async (_, said, result) => {
	const steps = await taken([said], { count: 30 });
	const code = result.split(' ')[1];
	expect(steps.stop).toBe(code);
	// Eight were under way.
	expect(steps.asked).toHaveLength(8);
	expect(steps.results.slice(0, 8)).toEqual(steps.asked.map(() => result));
	expect(new Set(steps.results.slice(8))).toEqual(new Set([`failed: ${code}`]));
	expect(JSON.stringify(steps.done[29])).toMatch(/"message":"Not sent\. /);
	const [first] = steps.done;
	const words = result.startsWith('failed')
		? /"message":"Not sent\. /
		: /"Sent, but not confirmed\. /;
	expect(JSON.stringify(first)).toMatch(words);
});

const eleven = Array.from({ length: 11 }, () => 'unconfirmed' as const);

test.each<[string, Said[], number, string | undefined]>([
	['twelve that bring no answer', ['unconfirmed'], 12, 'unconfirmed'],
	['eleven that bring no answer', ['unconfirmed'], 11, undefined],
	['eleven, one that goes well and eleven', [...eleven, [], ...eleven, []], 30, undefined],
	['eleven, one that is refused and eleven', [...eleven, 'refused', ...eleven, []], 30, undefined],
	['thirty that are refused one by one', ['refused'], 30, undefined],
])('of removals in a row, %s: does the run go on?', async (_, says, count, stop) => {
	const steps = await taken(says, { count });
	expect([steps.asked.length, steps.stop]).toEqual([count, stop]);
});

test('nobody is removed or updated after the run was cancelled', async () => {
	for (const changes of [false, true]) {
		const { asked, results, stop } = await taken([[]], { aborted: true, changes, count: 2 });
		expect([asked, stop]).toEqual([[], 'cancelled']);
		expect(results).toEqual(['failed: cancelled', 'failed: cancelled']);
	}
});
