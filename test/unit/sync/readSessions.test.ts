import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { Row } from '../../../nodes/EventPlatform/core/people/registration';
import { readSessionsOfList } from '../../../nodes/EventPlatform/core/sync/readSessions';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { fakePlatform, type FakeAnswer } from '../../support/platform/fakePlatform';
import { rowFor } from '../../support/runs/simulation';
import { begunRun } from '../../support/runs/begunRun';
import { VirtualClock } from '../../support/time/virtualClock';

const madeUp = '1700000000+7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b@unknown.livestorm.co';
const asksForEmail = [{ id: 'email' }];
const asksForNoEmail = [{ id: 'company' }];

/** A session whose event has these questions on its form. */
function sessionWith(id: string, fields: JsonObject[] = asksForEmail) {
	const attributes = { name: `Session ${id}`, status: 'upcoming', event_id: 'e' };
	return {
		data: { id, type: 'sessions', attributes },
		included: [{ id: 'e', type: 'events', attributes: { fields } }],
	};
}

const registered = (email: string) => ({
	data: [{ id: 'p', type: 'people', attributes: { email } }],
});

interface Platform {
	/** The answers to other paths than those of sessions, or to sessions that are not as usual. */
	answers?: Record<string, FakeAnswer>;
	mayRemoveOthers?: boolean;
	/** The columns of each person that the output shows. */
	columns?: readonly string[];
}

/** Reads the sessions of these rows. */
async function read(
	list: readonly Row[],
	{ answers = {}, mayRemoveOthers = false, columns }: Platform = {},
) {
	const { client, asked } = fakePlatform(({ path }) => {
		const [, , id = '', people] = path.split('/');
		return answers[path] ?? (people ? registered(`${id}@example.com`) : sessionWith(id));
	});
	const clock = new VirtualClock();
	const view = columns && { columns };
	const parts = { ...begunRun(client, clock), view };
	const ofList = await readSessionsOfList(list, parts, { mayRemoveOthers });
	return { ...ofList, paths: asked.map(({ path }) => path) };
}

const rowOf = (sessionId: string) => rowFor(sessionId, `${sessionId}@example.com`);
const unsendable = (sessionId: string): Row => ({ ...rowOf(sessionId), problems: ['Odd'] });

describe('what is asked for', () => {
	test('is each session once, and its people', async () => {
		const { paths } = await read([rowOf('a'), rowOf('a')]);
		expect(paths).toEqual(['/sessions/a', '/sessions/a/people']);
	});

	test('are no people of a session of which nobody can be sent', async () => {
		expect((await read([unsendable('a')])).paths).toEqual(['/sessions/a']);
	});

	test('are the people of every session where people are removed', async () => {
		const { paths } = await read([unsendable('a')], { mayRemoveOthers: true });
		expect(paths).toEqual(['/sessions/a', '/sessions/a/people']);
	});

	test('is nothing by an ID that can be none', async () => {
		expect((await read([rowOf('..')])).paths).toEqual([]);
	});
});

test('who is registered for another session, as the record says, is not of this one', async () => {
	const here = 'ABCDEF00-0000-4000-8000-00000000000a';
	const data = [here.toLowerCase(), here.replace(/a$/, 'b')].map((session_id, index) => ({
		id: `p${index}`,
		type: 'people',
		attributes: { email: `p${index}@example.com`, registrant_detail: { session_id } },
	}));
	const answers = { [`/sessions/${here}/people`]: { data } };
	const { sessions } = await read([rowOf(here)], { answers });
	expect(sessions.get(here)?.people?.map(({ address }) => address)).toEqual(['p0@example.com']);
});

test('of a record nothing is kept that the run does not read later, so that those of a long list do not fill the memory', async () => {
	const fields = ['company', 'essay'].map((id) => ({ id, value: `The ${id}` }));
	const registrant_detail = { fields, referrer: 'The referrer', utm_source: 'The source' };
	const attributes = { email: 'a@example.com', role: 'participant', registrant_detail };
	const answers = { '/sessions/a/people': { data: [{ id: 'p', type: 'people', attributes }] } };
	const row = rowFor('a', 'a@example.com', ['company']);
	const { sessions } = await read([row], { answers, columns: ['last_name'] });
	const kept = JSON.stringify(sessions.get('a')?.people);
	expect(kept).toContain('The company');
	for (const unread of ['essay', 'referrer', 'source']) expect(kept).not.toContain(unread);
});

test('a session whose event came separately is named with the title of the event', async () => {
	const { data } = sessionWith('a');
	const event = { id: 'e', type: 'events', attributes: { title: 'Tour', fields: asksForEmail } };
	const answers = { '/sessions/a': { data }, '/events/e': { data: event } };
	const { sessions } = await read([rowOf('a')], { answers });
	expect(sessions.get('a')?.name).toBe("'Tour, Session a'");
});

describe('a session is not carried out', () => {
	test.each<[string, Record<string, FakeAnswer>]>([
		['that is gone', { '/sessions/a': 'not_found' }],
		['that is shown without an ID', { '/sessions/a': { data: { attributes: {} } } }],
		['that is shown with another ID', { '/sessions/a': sessionWith('b') }],
		['whose people cannot be listed', { '/sessions/a/people': 'not_found' }],
		['whose form asks for no email', { '/sessions/a': sessionWith('a', asksForNoEmail) }],
		[
			'whose form is not known, and where an address was made up',
			{ '/sessions/a': sessionWith('a', []), '/sessions/a/people': registered(madeUp) },
		],
	])('%s', async (_, answers) => {
		const { sessions } = await read([rowOf('a')], { answers });
		expect(
			[...sessions.values()].map(({ reasonNotToSend }) => reasonNotToSend !== undefined),
		).toEqual([true]);
	});
});

test('a made-up address says nothing of a session whose form asks for the email', async () => {
	const { sessions } = await read([rowOf('a')], {
		answers: { '/sessions/a/people': registered(madeUp) },
	});
	expect(sessions.get('a')?.reasonNotToSend).toBeUndefined();
});

test('a session that is gone leaves the others', async () => {
	const { sessions, stop } = await read([rowOf('a'), rowOf('b')], {
		answers: { '/sessions/a': 'not_found' },
	});
	expect([stop, sessions.get('b')?.people?.length]).toEqual([undefined, 1]);
});

test('a session that is gone is asked for once', async () => {
	const answers = { '/sessions/a': 'not_found', '/sessions/b': 'not_found' } as const;
	const { paths } = await read([rowOf('a'), rowOf('a'), rowOf('b')], { answers });
	expect(paths).toEqual(['/sessions/a', '/sessions/b']);
});

test('an ID that can be none keeps nothing else from being read', async () => {
	const { sessions, stop } = await read([rowOf('..'), rowOf('b')]);
	expect([stop, [...sessions.keys()]]).toEqual([undefined, ['b']]);
});

test.each<[string, Cause, Cause]>([
	['that is not there is an endpoint that is missing', 'not_found', 'no_endpoint'],
	['that cannot be read says why', 'unauthorized', 'unauthorized'],
])('a list of people %s', async (_, cause, expected) => {
	const { failureOfRun } = await read([rowOf('a')], { answers: { '/sessions/a/people': cause } });
	expect(failureOfRun?.cause).toBe(expected);
});

test('nobody of a public event is compared with the list', async () => {
	const answers = { '/sessions/a': sessionWith('a', asksForNoEmail) };
	const { sessions } = await read([rowOf('a')], { answers });
	expect(sessions.get('a')?.people).toEqual([]);
});
