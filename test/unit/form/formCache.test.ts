import { setImmediate } from 'node:timers/promises';
import { asFailure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { SessionCache } from '../../../nodes/EventPlatform/core/sessions/sessionCache';
import { FormCache, SessionRefused } from '../../../nodes/EventPlatform/form/formCache';
import { fakePlatform, type FakeAnswer } from '../../support/platform/fakePlatform';

const question = (id: string, order: number) => ({ id, type: 'text', order });

/** A session whose event has a form, in one response. */
function sessionWith(...fields: object[]) {
	return {
		data: { id: 's1', type: 'sessions', attributes: { event_id: 'e1' } },
		included: [{ id: 'e1', type: 'events', attributes: { fields } }],
	};
}

/** The forms of a platform that answers by path. Each request is "path" or "path?page". */
function formsOf(answers: Record<string, FakeAnswer | ((nth: number) => FakeAnswer)>) {
	const counts = new Map<string, number>();
	const { ask, asked } = fakePlatform(({ path, query = {} }) => {
		const page = query['page[number]'];
		const name = path + (page === undefined ? '' : `?${page}`);
		const nth = (counts.get(name) ?? 0) + 1;
		counts.set(name, nth);
		const answer = answers[name] ?? answers[path.replace(/\d+$/, 'n')] ?? 'not_found';
		return typeof answer === 'function' ? (answer as (nth: number) => FakeAnswer)(nth) : answer;
	});
	const forms = new FormCache(ask, new SessionCache(ask));
	const paths = () => asked.map(({ path }) => path);
	const idsOf = async (sessionId?: string) => {
		const { source, questions } = await forms.read(sessionId);
		return `${source}: ${questions.map(({ id }) => id).join(' ')}`;
	};
	return { forms, paths, idsOf };
}

const slugs = (...names: string[]) => names.map((slug) => ({ attributes: { slug } }));
const attributes = { data: slugs('email', 'first_name', 'last_name', 'size') };
const named = 'none: email first_name last_name';

describe('the form of a session', () => {
	test('has the questions in the order of the page, and the email, which public events do not list', async () => {
		const session = sessionWith(question('company', 2), question('first_name', 1));
		const { idsOf } = formsOf({ '/sessions/s1': session });
		expect(await idsOf('s1')).toBe('session: email first_name company');
	});

	test('is asked for once, also by items that need it at the same time', async () => {
		const { idsOf, paths } = formsOf({ '/sessions/s1': sessionWith(question('company', 1)) });
		await Promise.all([idsOf('s1'), idsOf('s1'), idsOf('s1')]);
		await idsOf('s1');
		expect(paths()).toEqual(['/sessions/s1']);
	});

	test.each<[string, Record<string, FakeAnswer>, string]>([
		['the session is not there', {}, 'workspace: email first_name last_name size'],
		[
			'nobody may read it',
			{ '/sessions/s1': 'forbidden' },
			'workspace: email first_name last_name size',
		],
		[
			'its event has no questions',
			{ '/sessions/s1': sessionWith() },
			'workspace: email first_name last_name size',
		],
		[
			'nothing may be read',
			{ '/sessions/s1': 'missing_scope', '/people_attributes?0': 'missing_scope' },
			named,
		],
		[
			'its event is refused',
			{
				'/sessions/s1': { data: { id: 's1', attributes: { event_id: 'e1' } } },
				'/events/e1': 'unprocessable',
			},
			'workspace: email first_name last_name size',
		],
		[
			'the attributes of the workspace are refused, too',
			{ '/people_attributes?0': 'unprocessable' },
			named,
		],
		['the workspace has no attributes', { '/people_attributes?0': { data: [] } }, named],
	])('is taken from elsewhere where %s', async (_, answers, form) => {
		const { idsOf } = formsOf({ '/people_attributes?0': attributes, ...answers });
		expect(await idsOf('s1')).toBe(form);
	});

	test.each<Cause>([
		'unauthorized',
		'workspace_blocked',
		'quota_spent',
		'platform_error',
		'unreachable',
	])('is not taken from elsewhere after %s, because it would be another form', async (cause) => {
		const { idsOf, paths } = formsOf({
			'/sessions/s1': cause,
			'/people_attributes?0': attributes,
		});
		await expect(idsOf('s1')).rejects.toMatchObject({ cause });
		expect(paths()).toEqual(['/sessions/s1']);
	});

	test('that could not be read for a moment is read for the next item', async () => {
		const session = sessionWith(question('company', 1));
		const { idsOf, paths } = formsOf({
			'/sessions/s1': (nth) => (nth === 1 ? 'platform_error' : session),
		});
		await expect(idsOf('s1')).rejects.toMatchObject({ cause: 'platform_error' });
		expect(await idsOf('s1')).toBe('session: email company');
		expect(paths()).toHaveLength(2);
	});

	test('is asked for once by items that need it at the same time, whatever comes of it', async () => {
		const { idsOf, paths } = formsOf({ '/sessions/s1': () => 'platform_error' });
		const waiting = Array.from({ length: 8 }, () => idsOf('s1'));
		const ends = await Promise.allSettled(waiting);
		expect(ends.map(({ status }) => status)).toEqual(Array(8).fill('rejected'));
		expect(paths()).toHaveLength(1);
	});

	test('that nobody may ask for fails for every item with one request', async () => {
		const { idsOf, paths } = formsOf({ '/sessions/s1': 'unauthorized' });
		for (let item = 0; item < 3; item++) await expect(idsOf('s1')).rejects.toThrow();
		expect(paths()).toHaveLength(1);
	});

	test('is not looked for in every row of a column that holds no sessions', async () => {
		const { idsOf, paths } = formsOf({ '/people_attributes?0': attributes });
		const ends = [];
		for (let row = 0; row < 30; row++) ends.push(await idsOf(`row${row}`).catch(() => 'failed'));
		expect(ends.indexOf('failed')).toBe(20);
		expect(paths().filter((path) => path === '/people_attributes')).toHaveLength(1);
		expect(ends.slice(20)).toEqual(Array(10).fill('failed'));
	});

	test('of a session that the platform calls invalid fails for that session, with one request', async () => {
		const { forms, paths } = formsOf({ '/sessions/s1': 'unprocessable' });
		for (let item = 0; item < 2; item++)
			await expect(forms.read('s1')).rejects.toBeInstanceOf(SessionRefused);
		expect(paths()).toEqual(['/sessions/s1']);
	});

	test('fails for the whole list where more than twenty sessions are invalid', async () => {
		const { forms } = formsOf({ '/sessions/rown': 'unprocessable' });
		const failures = [];
		for (let row = 0; row < 22; row++)
			failures.push(await forms.read(`row${row}`).catch(asFailure));
		expect(failures.findIndex((failure) => !(failure instanceof SessionRefused))).toBe(20);
	});

	test('is not looked for again where the platform shows no session to this credential', async () => {
		const { idsOf, paths } = formsOf({
			'/sessions/s1': 'missing_scope',
			'/sessions/s2': 'missing_scope',
			'/people_attributes?0': attributes,
		});
		expect([await idsOf('s1'), await idsOf('s2')]).toEqual([
			'workspace: email first_name last_name size',
			'workspace: email first_name last_name size',
		]);
		expect(paths()).toEqual(['/sessions/s1', '/people_attributes']);
	});

	test('is not looked for again where a session that was asked for before the failure comes after it', async () => {
		const session = (id: string) => ({ data: { id, attributes: { event_id: `of-${id}` } } });
		const answers = new Map<string, (answer: FakeAnswer) => void>();
		const { ask, asked } = fakePlatform(({ path }) => {
			if (path.includes('slow')) return new Promise((answer) => answers.set(path, answer));
			return path === '/sessions/s1' ? session('s1') : 'missing_scope';
		});
		const forms = new FormCache(ask, new SessionCache(ask));
		const slow = forms.read('slow');
		await forms.read('s1');
		answers.get('/sessions/slow')?.(session('slow'));
		await setImmediate();
		const before = asked.length;
		expect(await forms.read('s2')).toMatchObject({ source: 'none' });
		expect(asked.slice(before)).toEqual([]);
		answers.get('/events/of-slow')?.('missing_scope');
		await slow;
	});

	test('of an ID that cannot stand in an address costs no request of its own', async () => {
		const { idsOf, paths } = formsOf({ '/people_attributes?0': attributes });
		expect(await idsOf('..')).toBe('workspace: email first_name last_name size');
		expect(paths()).toEqual(['/people_attributes']);
	});
});

describe('the attributes of the workspace', () => {
	const page = (ids: string[], page_count: number) => ({
		data: slugs(...ids),
		meta: { page_count },
	});

	test('are read to their last page', async () => {
		const { idsOf } = formsOf({
			'/people_attributes?0': page(['email', 'first_name'], 2),
			'/people_attributes?1': page(['last_name', 'b'], 2),
		});
		expect(await idsOf()).toBe('workspace: email first_name last_name b');
	});

	test('have the three that every session takes, where the platform names others', async () => {
		const { idsOf } = formsOf({ '/people_attributes?0': { data: slugs('company', 'vorname') } });
		expect(await idsOf()).toBe('workspace: email first_name last_name company vorname');
	});

	test('are questions with the choices that the vendor sends, each once', async () => {
		const options = [{ label: 'Few', value: '1-10' }, '100+'];
		const data = [
			{ id: 'a1', attributes: { slug: 'company', name: 'Company', type: 'text', options } },
			{ id: 'a2', attributes: { slug: 'team_size', name: 'Size', type: 'unique_select', options } },
			{ id: 'a3', attributes: { slug: 'team_size', name: 'Team Size', type: 'multiple_select' } },
		];
		const { forms } = formsOf({ '/people_attributes?0': { data } });
		const { questions } = await forms.read();
		expect(questions.slice(3)).toEqual([
			{ id: 'company', label: 'Company', isRequired: false, mayHaveSeveral: false },
			{ id: 'team_size', label: 'Team Size', isRequired: false, mayHaveSeveral: true },
		]);
	});

	test('have the choices under their labels', async () => {
		const options = [{ label: 'Few', value: '1-10' }, '100+', ''];
		const size = { slug: 'team_size', type: 'unique_select', options };
		const { forms } = formsOf({ '/people_attributes?0': { data: [{ attributes: size }] } });
		const { questions } = await forms.read();
		expect(questions.at(-1)?.choices).toEqual([
			{ name: 'Few', value: '1-10' },
			{ name: '100+', value: '100+' },
		]);
	});
});

describe('a form that a run can do without', () => {
	test('of another session is read although one of them could not be', async () => {
		const { forms } = formsOf({
			'/sessions/s1': sessionWith(question('company', 1)),
			'/sessions/s2': 'forbidden',
			'/people_attributes?0': 'forbidden',
		});
		expect((await forms.readIfPossible('s2')).kind).toBe('read');
		expect(await forms.readIfPossible('s1')).toMatchObject({
			kind: 'read',
			form: { source: 'session' },
		});
	});

	test('of another session is read although the platform calls one of them invalid', async () => {
		const { forms } = formsOf({
			'/sessions/s1': sessionWith(question('company', 1)),
			'/sessions/s2': 'unprocessable',
		});
		expect((await forms.readIfPossible('s2')).kind).toBe('unreadable');
		expect(await forms.readIfPossible('s1')).toMatchObject({ form: { source: 'session' } });
	});

	test('is not asked for again after a failure that concerns every request', async () => {
		const { forms, paths } = formsOf({ '/sessions/sn': 'platform_error' });
		const first = await forms.readIfPossible('s1');
		expect(await forms.readIfPossible('s2')).toEqual(first);
		expect(first.kind).toBe('unreadable');
		expect(paths()).toEqual(['/sessions/s1']);
	});

	test('is not asked for in every row of a column that holds no sessions', async () => {
		const { forms, paths } = formsOf({ '/people_attributes?0': attributes });
		const kinds = [];
		for (let row = 0; row < 30; row++) kinds.push((await forms.readIfPossible(`row${row}`)).kind);
		expect(kinds).toEqual([
			...Array<string>(20).fill('read'),
			...Array<string>(10).fill('unreadable'),
		]);
		expect(paths()).toHaveLength(22);
	});

	test('is asked for again once the form of another session was read after all', async () => {
		const session = sessionWith(question('company', 1));
		const { forms } = formsOf({ '/sessions/s1': session, '/sessions/s2': session });
		for (let row = 0; row < 30; row++) await forms.readIfPossible(`row${row}`);
		expect((await forms.readIfPossible('s1')).kind).toBe('unreadable');
		expect(await forms.read('s1')).toMatchObject({ source: 'session' });
		expect((await forms.readIfPossible('s2')).kind).toBe('read');
	});
});
