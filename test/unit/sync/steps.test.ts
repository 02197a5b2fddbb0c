import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { collectingView } from '../../../nodes/EventPlatform/core/records/personView';
import { findChanges } from '../../../nodes/EventPlatform/core/people/changes';
import { readRegistered } from '../../../nodes/EventPlatform/core/people/identity';
import {
	outcomeOf,
	type Entry,
	type Intent,
	type Outcomes,
} from '../../../nodes/EventPlatform/core/sync/intent';
import { fieldsOf, showAll } from '../../../nodes/EventPlatform/core/records/simplify';
import { isSameBeyondDoubt } from '../../../nodes/EventPlatform/core/people/sameAnswer';
import { PlatformTime } from '../../../nodes/EventPlatform/core/sync/platformTime';
import { RemovalGuard } from '../../../nodes/EventPlatform/core/sync/removalGuard';
import { Steps } from '../../../nodes/EventPlatform/core/sync/steps';
import { fakePlatform } from '../../support/platform/fakePlatform';
import { modelScene } from '../../support/runs/simulation';

const session = '5e550000-0000-4000-8000-00000000000a';
const otherSession = '5e550000-0000-4000-8000-00000000000b';

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

interface Taking {
	count?: number;
	changes?: boolean;
	aborted?: boolean;
	/** Milliseconds until the time of the run is over. */
	endsInMs?: number;
}

/** Takes steps on a platform that says this of each person, request by request; what it said last it goes on to say. The session is still to come. */
async function taken(
	says: readonly Said[] | ((person: number) => Said),
	{ count = 1, changes = false, aborted = false, endsInMs }: Taking = {},
) {
	let asks = 0;
	const { ask, asked } = fakePlatform(({ path }) => {
		if (path === `/sessions/${session}`)
			return { data: { id: session, attributes: { status: 'upcoming' } } };
		asks += 1;
		const person = Number(path.split('/p').at(-1));
		const said = Array.isArray(says)
			? ((says as readonly Said[])[Math.min(asks, says.length) - 1] ?? [])
			: (says as (person: number) => Said)(person);
		return said instanceof Error || typeof said === 'string' ? said : { data: said };
	});
	const { clock, parts: runParts } = modelScene();
	const parts = { ...runParts, signal: aborted ? AbortSignal.abort() : undefined };
	const status = changes ? 'updated' : 'removed';
	const differing = findChanges(ada(), registration, isSameBeyondDoubt);
	const intent: Intent = changes ? { kind: 'update', changes: differing } : { kind: 'remove' };
	const people = Array.from({ length: count }, (_, index): Entry => {
		const row = { sessionId: session, address: '', registration, problems: [] };
		const person = readRegistered(ada('Old', count === 1 ? 'p' : `p${index}`));
		return { ...row, index, person, intent };
	});
	const outcomes: Outcomes = new Map();
	const deadlineAt = endsInMs === undefined ? undefined : clock.now() + endsInMs;
	const steps = new Steps(
		parts,
		{ meter: { askFor: () => ask, deadlineAt }, view: collectingView() },
		new RemovalGuard(new Map(), parts, new PlatformTime(clock)),
		outcomes,
	);
	await clock.run(changes ? steps.updateAll(people) : steps.removeAll(people));
	const done = people.map((entry) => outcomeOf(entry, outcomes));
	const results = done.map(({ status: is, reasons: [why] }) =>
		is === status ? 'done' : `${is}: ${why?.code}`,
	);
	const stepsAsked = asked.filter(({ path }) => path !== `/sessions/${session}`);
	const methods = stepsAsked.map(({ method }) => method).join(' ');
	return { results, done, asked: stepsAsked, methods, stop: steps.stop?.code };
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

const stranger = { id: 'q', type: 'people', attributes: { email: 'grace@example.com' } };

test.each<[string, Said[], string]>([
	['is not found, nor is the person on the list', ['not_found', []], 'done'],
	['is not found, and the person is on the list', ['not_found', [ada()]], 'failed: not_removed'],
	['has the ID of another record', ['not_found', [ada('Old', 'q')]], 'failed: not_removed'],
	['has another address by now', ['not_found', [{ ...stranger, id: 'p' }]], 'failed: not_removed'],
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
		retry: 'onlyWhenRefused',
	});
	const query = { 'filter[email]': 'Ada@example.com' };
	expect(look).toMatchObject({ path: `/sessions/${session}/people`, query });
});

test.each<[string, Said, string]>([
	['whose credential is not accepted', 'unauthorized', 'failed: unauthorized'],
	['that is forbidden', 'forbidden', 'failed: forbidden'],
	['that came after the end of the time', 'time_over', 'failed: time_over'],
	['that met a mistake of ours', new Error('Oops'), 'unknown: unexpected'],
])('a removal %s ends the others, which are not sent', async (_, said, result) => {
	const steps = await taken([said], { count: 30, endsInMs: 5_000 });
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

const isAlways = () => true;

test.each<[string, number, (person: number) => boolean, string | undefined]>([
	['twelve, of which none has an answer', 12, isAlways, 'unconfirmed'],
	['eleven, of which none has an answer', 11, isAlways, undefined],
	[
		'thirty, of which eight fail, eight go well and eight fail',
		30,
		(nth) => nth % 16 < 8,
		undefined,
	],
])('removals end for this reason after %s', async (_, count, fails, stop) => {
	const steps = await taken((nth) => (fails(nth) ? 'unconfirmed' : []), { count });
	expect(steps.stop).toBe(stop);
});

test('thirty removals that are refused one by one are all sent', async () => {
	const steps = await taken(['refused'], { count: 30 });
	expect([steps.asked.length, steps.stop]).toEqual([30, undefined]);
});

test('nobody is removed or updated after the run was cancelled', async () => {
	for (const changes of [false, true]) {
		const { asked, results, stop } = await taken([[]], { aborted: true, changes, count: 2 });
		expect([asked, stop]).toEqual([[], 'cancelled']);
		expect(results).toEqual(['failed: cancelled', 'failed: cancelled']);
	}
});
