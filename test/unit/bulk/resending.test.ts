import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { Resending } from '../../../nodes/EventPlatform/core/bulk/resending';
import type { ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import { SessionCache } from '../../../nodes/EventPlatform/core/sessions/sessionCache';
import type { Json, JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { fakePlatform, type FakeAnswer } from '../../support/platform/fakePlatform';

const madeUp = '1720628126+528d3ec6-b983-4353-bcbf-eddb1566d013@unknown.livestorm.co';

const form = (...ids: string[]): FakeAnswer => {
	const fields: Json = ids.map((id) => ({ id }));
	return { data: { type: 'events', id: 'e1', attributes: { fields } } };
};
const publicForm = form('first_name');
const usualForm = form('email', 'first_name');
const noForm = form();

const person = (email: string | null, role = 'participant'): JsonObject => {
	return { type: 'people', id: 'p1', attributes: { email, role } };
};
const peoplePage = (...data: JsonObject[]): FakeAnswer => ({ data });

interface Answers {
	session?: FakeAnswer;
	event?: FakeAnswer;
	people?: FakeAnswer;
}

/** A platform that answers so for the sessions, their event and their people. */
function platformOf({ session, event = noForm, people = peoplePage() }: Answers) {
	return fakePlatform(({ path }) => {
		if (path.endsWith('/people')) return people;
		if (path.startsWith('/events/')) return event;
		const id = path.split('/').at(-1);
		return session ?? { data: { type: 'sessions', id, attributes: { event_id: 'e1' } } };
	});
}

/** A run that knows so much of its sessions by their results. */
function scene(answers: Answers, results: { replaces?: string[]; keeps?: string[] } = {}) {
	const { ask, asked } = platformOf(answers);
	const ledger = {
		publicSessions: new Set(results.replaces),
		sessionsThatKeepEmails: new Set(results.keeps),
	};
	const resending = new Resending(ledger, new SessionCache(ask));
	const isSafe = (sessionId = 's') => resending.isSafe(sessionId, ask);
	return { ask, ledger, resending, isSafe, paths: () => asked.map(({ path }) => path), asked };
}

const session = '/sessions/s';
const event = '/events/e1';
const people = '/sessions/s/people';

describe('nobody is sent again', () => {
	test.each<[string, Answers, string[]]>([
		['where the form does not ask for an email', { event: publicForm }, [session, event]],
		[
			'where it does not, whatever the people show',
			{ event: publicForm, people: peoplePage(person('ada@x.io')) },
			[session, event],
		],
		[
			'where a person has an email made up',
			{ people: peoplePage(person(madeUp)) },
			[session, event, people],
		],
		[
			'where one of several has',
			{ people: peoplePage(person('ada@x.io'), person(madeUp)) },
			[session, event, people],
		],
		['where the session has no people yet', {}, [session, event, people]],
		['where nobody shows an email', { people: peoplePage(person(null)) }, [session, event, people]],
		[
			'where only members of the team show theirs',
			{ people: peoplePage(person('ada@x.io', 'team_member')) },
			[session, event, people],
		],
		['where the list of people is refused', { people: 'forbidden' }, [session, event, people]],
		['where there is no such list', { people: 'not_found' }, [session, event, people]],
		['where nothing can be read', { session: 'not_found', people: 'refused' }, [session, people]],
	])('%s', async (_, answers, asked) => {
		const { isSafe, paths } = scene(answers);
		await expect(isSafe()).resolves.toBe(false);
		expect(paths()).toEqual(asked);
	});

	test('where the results show emails made up, and nothing is asked', async () => {
		const { isSafe, paths } = scene({ event: usualForm }, { replaces: ['s'] });
		await expect(isSafe()).resolves.toBe(false);
		expect(paths()).toEqual([]);
	});

	test('where some results show emails made up and others those that were sent', async () => {
		const { isSafe } = scene({ event: usualForm }, { replaces: ['s'], keeps: ['s'] });
		await expect(isSafe()).resolves.toBe(false);
	});

	test('where results show it after the form has said otherwise', async () => {
		const { isSafe, ledger } = scene({ event: usualForm });
		await expect(isSafe()).resolves.toBe(true);
		ledger.publicSessions.add('s');
		await expect(isSafe()).resolves.toBe(false);
	});

	test('where the run does not read sessions, and the results show emails made up', async () => {
		const { ask, ledger } = scene({}, { replaces: ['s'] });
		await expect(new Resending(ledger).isSafe('s', ask)).resolves.toBe(false);
	});
});

describe('people are sent again', () => {
	test.each<[string, Answers, string[]]>([
		['where the form asks for the email', { event: usualForm }, [session, event]],
		[
			'where a person shows an email',
			{ people: peoplePage(person('ada@x.io')) },
			[session, event, people],
		],
		[
			'where the event cannot be read and a person shows an email',
			{ event: 'forbidden', people: peoplePage(person('ada@x.io')) },
			[session, event, people],
		],
	])('%s', async (_, answers, asked) => {
		const { isSafe, paths } = scene(answers);
		await expect(isSafe()).resolves.toBe(true);
		expect(paths()).toEqual(asked);
	});

	test('where the results show emails that were sent, and nothing is asked', async () => {
		const { isSafe, paths } = scene({ event: publicForm }, { keeps: ['s'] });
		await expect(isSafe()).resolves.toBe(true);
		expect(paths()).toEqual([]);
	});

	test('where the run does not read sessions, and nothing is asked', async () => {
		const { ask, ledger, paths } = scene({ event: publicForm });
		await expect(new Resending(ledger).isSafe('s', ask)).resolves.toBe(true);
		expect(paths()).toEqual([]);
	});
});

test('the results of a session say nothing of another', async () => {
	const { isSafe } = scene({ event: publicForm }, { keeps: ['other'] });
	await expect(isSafe()).resolves.toBe(false);
	const { isSafe: isSafeHere } = scene({ event: usualForm }, { replaces: ['other'] });
	await expect(isSafeHere()).resolves.toBe(true);
});

test('one page of the people is asked for, as large as may be', async () => {
	const { isSafe, asked } = scene({});
	await isSafe();
	expect(asked.at(-1)).toMatchObject({
		method: 'GET',
		path: people,
		query: { 'page[number]': 0, 'page[size]': 50 },
	});
});

describe('each session is asked about once', () => {
	test('by people who go again at the same time', async () => {
		const { isSafe, paths } = scene({ people: peoplePage(person('ada@x.io')) });
		await expect(Promise.all([isSafe(), isSafe()])).resolves.toEqual([true, true]);
		await isSafe();
		expect(paths()).toEqual([session, event, people]);
	});

	test('and each for itself', async () => {
		const { isSafe, paths } = scene({ event: usualForm });
		await isSafe('s');
		await isSafe('t');
		expect(paths()).toEqual([session, event, '/sessions/t', event]);
	});
});

test.each<Cause>(['platform_error', 'unconfirmed', 'unreachable', 'rate_limited', 'not_json'])(
	'where the platform does not respond now (%s), it is asked again later',
	async (cause) => {
		let isBroken = true;
		const { ask } = fakePlatform(({ path }: ApiRequest): FakeAnswer => {
			if (!path.endsWith('/people')) return 'not_found';
			return isBroken ? cause : peoplePage(person('ada@x.io'));
		});
		const ledger = { publicSessions: new Set<string>(), sessionsThatKeepEmails: new Set<string>() };
		const resending = new Resending(ledger, new SessionCache(ask));
		await expect(resending.isSafe('s', ask)).rejects.toThrow(cause);
		isBroken = false;
		await expect(resending.isSafe('s', ask)).resolves.toBe(true);
	},
);

test('a run that is cancelled is not mistaken for a platform that shows nothing', async () => {
	const { isSafe } = scene({ people: new Error('Cancelled') });
	await expect(isSafe()).rejects.toThrow('Cancelled');
});
