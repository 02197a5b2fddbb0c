import { outcomesOf } from '../../../nodes/EventPlatform/core/registration/runOutcome';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import type {
	ApiResponse,
	ApiRequest,
	Ask,
} from '../../../nodes/EventPlatform/core/client/request';
import { hintsAboutUpdates } from '../../../nodes/EventPlatform/actions/registration/registrationHints';
import { plannedStatusOf } from '../../../nodes/EventPlatform/core/sync/intent';
import { rowFor } from '../../support/runs/simulation';
import { attacked, numbers, old, old0, uuid, type Attack, type Tamper } from './attackedSync';

const named = (name: string, extra: string[] = []) =>
	numbers.map((index) => rowFor(uuid, `${name}${index}@example.org`, extra));
const refusing = (status: number) => ({ refuseAfter: { requests: 2, status, onlyPosts: true } });

const secondHalf = old.slice(5).map((email) => rowFor(uuid, email));

const attacks: Array<[string, Attack]> = [
	['every task fails', { rows: named('banned') }],
	['one task of ten fails', { rows: [...named('new').slice(1), rowFor(uuid, 'banned@x.org')] }],
	['the additions are refused with 422', { rows: named('refuse') }],
	['the additions are refused with 400', { rows: named('new', ['unheard_of']) }],
	['the additions are answered 400', { platform: refusing(400) }],
	['the additions are answered 401', { platform: refusing(401) }],
	['the additions are answered 402', { platform: refusing(402) }],
	['the additions are answered 403', { platform: refusing(403) }],
	['the additions are answered 404', { platform: refusing(404) }],
	['the results are empty', { platform: { lostResults: 1 } }],
	['the job never ends', { platform: { jobMs: () => Infinity } }],
	[
		'a row is of a session that does not exist',
		{ rows: [...named('new'), rowFor('gone', 'a@x.org')] },
	],
	['a row is of a closed session', { rows: [...named('new'), rowFor('closed', 'a@x.org')] }],
	['the list of people is cut', { rows: secondHalf, tamper: firstHalf }],
	[
		'an answer got lost of somebody whom the list of people does not show',
		{
			rows: secondHalf,
			tamper: firstHalf,
			platform: { script: (nth) => (nth === 3 ? 'lost-after' : undefined) },
		},
	],
];

test.each(attacks)('nobody is removed, and the kept are told why, when %s', async (_, attack) => {
	const { left, statuses, report } = await attacked(attack);
	expect(left).toEqual(old);
	expect(statuses).toEqual(['kept']);
	for (const { status, reasons } of outcomesOf(report)) {
		if (status === 'kept') expect(reasons[0]?.message).toMatch(/^(?:Not removed\. |The platform )/);
	}
});

/** The event of the session, whose form asks for an email or does not show what it asks for. */
const showing =
	(fields?: JsonObject[]): Tamper =>
	({ path }, response) => {
		if (path !== `/sessions/${uuid}`) return response;
		const event = { type: 'events', id: 'e1', attributes: { fields } };
		const session = {
			type: 'sessions',
			id: uuid,
			attributes: { event_id: 'e1', status: 'upcoming' },
		};
		return { ...response, body: { data: session, included: fields ? [event] : [] } };
	};

const asksForEmail = [{ id: 'email' }];

test.each<[string, JsonObject[] | undefined, boolean, string, number]>([
	[
		'acted on, are sent again where the form asks for an email',
		asksForEmail,
		true,
		'already_registered',
		2,
	],
	[
		'did not act on, are sent again where the form asks for an email',
		asksForEmail,
		false,
		'added',
		2,
	],
	['acted on, are looked up where no form is shown', undefined, true, 'already_registered', 1],
	['did not act on, are not sent again where neither is shown', undefined, false, 'unknown', 1],
])(
	'people whose request the platform did not answer, but %s',
	async (_, form, isDone, status, most) => {
		let posts = 0;
		const instead = (request: ApiRequest, ask: Ask) => {
			posts += request.method === 'POST' ? 1 : 0;
			if (request.method !== 'POST' || posts > 1) return undefined;
			const lost = () => Promise.reject(new Failure('unconfirmed', request));
			return isDone ? ask(request).then(lost) : lost();
		};
		const { report } = await attacked({ instead, tamper: showing(form) });
		const statuses = outcomesOf(report)
			.slice(0, 10)
			.map((outcome) => outcome.status);
		expect(statuses).toEqual(numbers.map(() => status));
		expect(posts).toBe(most);
	},
);

test.each([
	['403 without a word of a session', 'closed', 2],
	['404', 'gone', 21],
])('%s for each of a hundred sessions ends the run', async (_, name, requests) => {
	const rows = Array.from({ length: 100 }, (_, index) => rowFor(`${name}${index}`, 'a@x.org'));
	const { report } = await attacked({ rows });
	expect(report.requests).toBe(requests);
	expect(outcomesOf(report).map(({ status }) => status)).toEqual(rows.map(() => 'failed'));
});

test('of a session that is over a dry run says what the run says, nothing is sent, and nobody goes', async () => {
	const rows = [
		{ ...rowFor(uuid, 'a@x.org'), problems: ['Odd'] },
		rowFor(uuid, 'b@x.org'),
		rowFor(uuid, old0),
		rowFor(uuid, 'old1@example.com', ['company']),
	];
	const platform = { statuses: { [uuid]: 'past' } };
	const options = { mostRemovals: 0, mayRemoveDespiteProblems: true };
	const plannedAs: Partial<Record<string, string>> = plannedStatusOf;
	const resultsOf = async (isDryRun: boolean) => {
		const run = await attacked({ rows, platform, options: { ...options, isDryRun } });
		const { reasonNotToBegin, jobs } = run.report;
		expect([reasonNotToBegin, jobs, run.left]).toEqual([undefined, [], old]);
		return outcomesOf(run.report).map(({ status, reasons: [why] }) => [
			plannedAs[status] ?? status,
			why?.message,
		]);
	};
	const planned = await resultsOf(true);
	const closed = expect.stringMatching(
		/^The session 5.* is over: nobody can register any more\.$/,
	) as string;
	const kept = expect.stringMatching(/^The session 5.* is over\. Nobody is removed from/) as string;
	expect(planned).toEqual([
		['invalid', 'Odd'],
		['invalid', closed],
		['unchanged', undefined],
		['would_update', undefined],
		...old.slice(2).map(() => ['kept', kept]),
	]);
	expect(await resultsOf(false)).toEqual(planned);
});

test('who attended is kept by every run of a schedule that goes on with a list that shrinks', async () => {
	const there = numbers.map((index) => `guest${index}@example.com`);
	const registration = { role: 'participant', answers: {}, attended: true } as const;
	const more = there.map((email) => ({ sessionId: uuid, email, registration }));
	for (const status of ['past', 'on_demand', 'live', 'upcoming', 'past_not_started']) {
		for (const count of [8, 4, 0]) {
			const rows = there.slice(0, count).map((email) => rowFor(uuid, email));
			const list = rows.length > 0 ? rows : [{ ...rowFor(uuid, ''), problems: ['Odd'] }];
			const { platform, statuses } = await attacked({
				there: [],
				more,
				rows: list,
				platform: { statuses: { [uuid]: status } },
				options: { mayRemoveDespiteProblems: true },
			});
			expect(there.filter((email) => !platform.isRegistered(uuid, email))).toEqual([]);
			expect(statuses).toEqual(['kept']);
		}
	}
});

test('another person with the same ID in another session keeps the own answers', async () => {
	const company = (name: string) => ({ role: 'participant', answers: { company: name } }) as const;
	const ada = { sessionId: uuid, email: 'ada@example.com', registration: company('Acme') };
	const grace = { sessionId: 'open', email: 'grace@example.com', registration: company('Navy') };
	const rows = [rowFor(uuid, grace.email, ['company']), rowFor('open', grace.email)];
	const { platform, report } = await attacked({
		there: [],
		more: [ada, grace],
		rows,
		platform: { ids: 'counted' },
		options: { mayRemoveOthers: false },
	});
	expect(platform.registrationOf(uuid, ada.email).answers).toEqual({ company: 'Acme' });
	expect(outcomesOf(report).map(({ status }) => status)).toEqual(['added', 'unchanged']);
});

test('who was added without a record may be registered otherwise: nobody goes, until a run adds nobody', async () => {
	/** Answers as a platform does that leaves dots out of an address, and then finds the person registered. */
	const withoutRecord: Tamper = ({ path }, answer) => {
		if (!path.endsWith('/tasks')) return answer;
		return { ...answer, body: { data: [{ status: 'succeeded', errors: [] }] } };
	};
	const rows = [rowFor(uuid, 'o.l.d.0@example.com')];
	const there = [old0, 'other@example.com'];
	const { left, report } = await attacked({ rows, there, tamper: withoutRecord });
	expect(left).toEqual(there);
	expect(outcomesOf(report).map(({ status }) => status)).toEqual(['added', 'kept', 'kept']);
	const why =
		/^Not removed\. Row 1 \(o\.l\.d\.0@example\.com\) was added, and the platform does not show/;
	expect(outcomesOf(report)[1]?.reasons[0]?.message).toMatch(why);
	const untampered = await attacked({ rows, there });
	expect(untampered.left).toEqual([]);
});

test('somebody whom the list of people does not show and who is there already is a doubt that says so', async () => {
	const rows = [rowFor(uuid, 'old1@example.com'), rowFor(uuid, 'new@example.org')];
	const hidden: Tamper = ({ path, query }, answer) => {
		if (!path.endsWith('/people') || query?.['filter[email]'] !== undefined) return answer;
		const { data, ...rest } = answer.body as { data: JsonObject[] };
		const listed = data.filter((record) => !JSON.stringify(record).includes('old1@'));
		return { ...answer, body: { ...rest, data: listed } };
	};
	const { report } = await attacked({ rows, tamper: hidden });
	expect(outcomesOf(report).at(-1)).toMatchObject({
		status: 'kept',
		reasons: [{ message: expect.stringContaining('does not show this address') as string }],
	});
});

test('a dry run tells two requests for fifty additions, and one for each other change', async () => {
	const added = Array.from({ length: 51 }, (_, index) => rowFor(uuid, `new${index}@example.org`));
	const rows = [...added, rowFor(uuid, old0, ['company'])];
	const { report } = await attacked({
		rows,
		there: [old0, 'old1@example.com'],
		options: { isDryRun: true },
	});
	// The session and its people, two jobs, one update, the session again, one removal.
	expect(report.requests).toBe(2 + 4 + 1 + 1 + 1);
	expect(report.seconds).toBe(1.8);
});

test('a dry run counts about as many looks before removals as the run takes', async () => {
	const there = Array.from({ length: 300 }, (_, index) => `old${index}@example.com`);
	const requestsOf = async (isDryRun: boolean) => {
		const options = { isDryRun, mostRemovals: 300, maxWaitSeconds: 900 };
		const { report } = await attacked({ rows: [rowFor(uuid, old0)], there, options });
		return report.requests;
	};
	// The session and the six pages of its people, 299 removals, and the session again every few seconds.
	expect(await requestsOf(true)).toBe(1 + 6 + 299 + 13);
	expect(await requestsOf(false)).toBe(1 + 6 + 299 + 14);
});

test('a month that cannot cover the plan: nothing is sent, and everybody is told why', async () => {
	const rows = [...named('new'), rowFor(uuid, old0)];
	const { left, report, statuses } = await attacked({ rows, platform: { monthly: 4 } });
	expect([left, statuses, report.requests]).toEqual([old, ['kept'], 2]);
	expect(report.reasonNotToBegin?.code).toBe('quota_spent');
	const [first, last] = [outcomesOf(report)[0], outcomesOf(report).at(-1)];
	expect(outcomesOf(report)[10]).toMatchObject({ status: 'unchanged', reasons: [] });
	expect(first).toMatchObject({
		status: 'failed',
		changes: [],
		reasons: [{ code: 'quota_spent' }],
	});
	expect(last).toMatchObject({ status: 'kept', reasons: [{ code: 'quota_spent' }] });
});

test('sessions that are closed end nothing as long as others are read between them', async () => {
	const rows = ['closed1', uuid, 'closed2', 'open'].map((id) => rowFor(id, 'old1@example.com'));
	const { report } = await attacked({ rows, options: { mayRemoveOthers: false } });
	const became = outcomesOf(report).map(({ status }) => status);
	expect(became).toEqual(['failed', 'unchanged', 'failed', 'added']);
});

test('the whole run takes no longer than Max Wait, what was read before included', async () => {
	const options = { mayRemoveOthers: false, maxWaitSeconds: 10 };
	const platform = { jobMs: () => Infinity, latencyMs: [4_000, 4_000] as [number, number] };
	const { report } = await attacked({ options, platform });
	expect(report.seconds).toBeLessThan(14);
});

test('nobody is removed in words alone, where the platform does not look for the address', async () => {
	const { left, statuses } = await attacked({
		there: Array.from({ length: 60 }, (_, index) => `old${index}@example.com`),
		instead(request, ask) {
			if (request.query?.['filter[email]']) return ask({ ...request, query: {} });
			if (request.method !== 'DELETE') return undefined;
			return Promise.reject(new Failure('not_found', request, { status: 404 }));
		},
	});
	expect(left).toHaveLength(60);
	expect(statuses).not.toContain('removed');
});

test('without any doubt they go', async () => {
	const { left, statuses, sent, report } = await attacked({
		rows: [
			rowFor(uuid, old0, ['company']),
			...named('new'),
			{ ...rowFor('open', ''), problems: ['Odd'] },
		],
	});
	expect([left, statuses]).toEqual([[old0], ['removed']]);
	const changes = [{ field: 'company', old: null, new: 'x' }];
	expect(outcomesOf(report)[0]).toMatchObject({ status: 'updated', changes });
	// Only those who are to be added are sent.
	const added = numbers.map((index) => `new${index}@example.org`);
	expect([sent, report.jobs.length]).toEqual([added, 1]);
});

test.each(attacks.slice(0, 10))('with the option they go although %s', async (_, attack) => {
	const options = { mayRemoveDespiteProblems: true };
	const { statuses } = await attacked({ ...attack, options });
	// A failure that ends the whole run ends removals, too.
	expect(['removed', 'failed']).toContain(statuses[0]);
});

test('who was added as a person that is registered with another address is not removed', async () => {
	const asOld0: Tamper = ({ path }, answer) => {
		if (!path.endsWith('/tasks')) return answer;
		const { data, ...rest } = answer.body as { data: JsonObject[] };
		const record = { type: 'people', id: old0, attributes: { email: 'new0@example.org' } };
		const results = [{ status: 'succeeded', data: record }, ...data.slice(1)];
		return { ...answer, body: { ...rest, data: results } };
	};
	for (const mayRemoveDespiteProblems of [false, true]) {
		const { left, report } = await attacked({
			tamper: asOld0,
			options: { mayRemoveDespiteProblems: mayRemoveDespiteProblems },
		});
		expect(left).toEqual([old0]);
		const kept = outcomesOf(report).filter(({ status }) => status === 'kept');
		expect(kept.map(({ reasons: [why] }) => why?.message)).toEqual([
			expect.stringMatching(
				/^The person was added by Row 1 \(new0@example\.org\) in this run/,
			) as string,
		]);
	}
});

test('a session that the platform shows without an ID may be two: nothing is sent', async () => {
	const nameless: Tamper = ({ path }, answer) =>
		/^\/sessions\/[^/]+$/.test(path) ? { ...answer, body: { data: { attributes: {} } } } : answer;
	const rows = old.map((email, index) => rowFor(index < 5 ? 'demo' : 'DEMO', email));
	const more = old.map((email) => ({ sessionId: 'demo', email }));
	const { report, platform } = await attacked({ rows, tamper: nameless, more });
	expect(platform.registered.get('demo')?.size).toBe(10);
	expect(report.failureOfRun?.message).toBe('GET /sessions/demo: unexpected_shape');
});

test('rows of a session that the platform answers with another one are added to neither', async () => {
	const otherId = uuid.replace(/a$/, 'b');
	const rows = [rowFor(uuid, old0), rowFor(otherId, 'x@example.org')];
	const instead = (request: ApiRequest, ask: Ask) =>
		request.path === `/sessions/${otherId}`
			? ask({ ...request, path: `/sessions/${uuid}` })
			: undefined;
	const { platform, left, report } = await attacked({ rows, instead });
	expect([left, report.stop?.code]).toEqual([old, 'unexpected_shape']);
	const isAdded = [uuid, otherId].map((id) => platform.isRegistered(id, 'x@example.org'));
	expect(isAdded).toEqual([false, false]);
});

test('an update that the platform accepts and does not make is told with both values', async () => {
	const rows = old.map((email) => rowFor(uuid, email, ['company']));
	const { report } = await attacked({
		rows,
		instead(request, ask) {
			return request.method === 'PATCH' ? ask({ method: 'GET', path: request.path }) : undefined;
		},
	});
	expect(hintsAboutUpdates(outcomesOf(report))).toEqual([
		expect.stringMatching(
			/^'company' is stored with another value on the platform, for 10 people. This costs 20 requests in every run\./,
		),
	]);
	expect(
		hintsAboutUpdates(outcomesOf(report).map((outcome) => ({ ...outcome, reasons: [] }))),
	).toEqual([]);
	const changes = [{ field: 'company', old: null, new: 'x' }];
	expect(outcomesOf(report)[0]).toMatchObject({ status: 'not_updated', changes });
	const why = /accepted the update, but 'company' is still empty and not "x"/;
	expect(outcomesOf(report)[0]?.reasons[0]?.message).toMatch(why);
});

const generated = (index: number) =>
	`172062812${index}+528d3ec6-b983-4353-bcbf-eddb1566d01${index}@unknown.livestorm.co`;

/** Sends the event along with the session, with these questions on its form. */
const withForm =
	(...ids: string[]): Tamper =>
	({ path }, answer) => {
		if (!/^\/sessions\/[^/]+$/.test(path)) return answer;
		const { data } = answer.body as { data: JsonObject };
		const event = { type: 'events', id: 'e1', attributes: { fields: ids.map((id) => ({ id })) } };
		const attributes = Object.assign({ event_id: 'e1' }, data.attributes);
		return { ...answer, body: { data: { ...data, attributes }, included: [event] } };
	};

test.each<[string, Partial<Attack>, number]>([
	['its form says so', { tamper: withForm('first_name', 'custom_email') }, 1],
	['its people show so', { there: [generated(1), old0] }, 2],
])(
	'a session of a public event is refused before anything is sent where %s',
	async (_, more, requests) => {
		for (const isDryRun of [false, true]) {
			const { report, left, sent } = await attacked({ ...more, options: { isDryRun } });
			expect(left).toEqual(more.there ?? old);
			expect([sent, report.requests]).toEqual([[], requests]);
			for (const { status, reasons } of outcomesOf(report)) {
				expect([status, reasons[0]?.code]).toEqual(['failed', 'public_event']);
				expect(reasons[0]?.message).toMatch(
					/ belongs to a public event, .* does not ask for an email: .* Sync would add the same people again in every run\./,
				);
			}
		}
	},
);

test('beside a session of a public event the others are carried out', async () => {
	const rows = [rowFor('open', 'a@x.org'), rowFor(uuid, 'b@x.org')];
	const { report, platform } = await attacked({ rows, there: [generated(1)] });
	expect(report.reasonNotToBegin).toBeUndefined();
	expect(outcomesOf(report).map(({ status, reasons: [why] }) => [status, why?.code])).toEqual([
		['added', undefined],
		['failed', 'public_event'],
	]);
	expect(platform.isRegistered('open', 'a@x.org')).toBe(true);
});

test('a person with an address that the platform has made up stays, where the form asks for the email by now', async () => {
	const there = [generated(1), old0];
	const options = { mayRemoveDespiteProblems: true };
	const { report, left } = await attacked({ there, tamper: withForm('email'), options });
	expect(left).toEqual([generated(1)]);
	const [kept] = outcomesOf(report).filter(({ status }) => status === 'kept');
	expect(kept?.reasons[0]?.message).toMatch(/^The platform has made up the address of this person/);
});

test('a platform that does not show people is told as such, before anything is sent', async () => {
	const asked: string[] = [];
	const { report, left, sent } = await attacked({
		rows: [...named('new'), rowFor('other', 'a@x.org')],
		instead(request) {
			asked.push(request.path);
			if (request.method !== 'GET' || !request.path.endsWith('/people')) return undefined;
			return Promise.reject(new Failure('not_found', request, { status: 404 }));
		},
	});
	expect([left, sent]).toEqual([old, []]);
	expect(report.failureOfRun?.cause).toBe('no_endpoint');
	expect(asked.length).toBeLessThanOrEqual(3);
	expect(new Set(outcomesOf(report).map(({ status }) => status))).toEqual(new Set(['failed']));
});

const bios = (length: number) =>
	Array.from({ length: 40 }, (_, index) => `${index} `.padEnd(length, 'abcdefgh'));

/** People who have one answer and want another. */
const withAnswers = (has: readonly string[], answers: readonly string[]): Partial<Attack> => ({
	there: [],
	more: has.map((bio, index) => ({
		sessionId: uuid,
		email: `p${index}@example.com`,
		registration: { role: 'participant', answers: { bio } },
	})),
	rows: answers.map((bio, index) => {
		const row = rowFor(uuid, `p${index}@example.com`);
		return { ...row, registration: { ...row.registration, fields: [{ id: 'bio', value: bio }] } };
	}),
	options: { mayRemoveOthers: false },
});

test('a text with words behind it is sent, whatever its length was', async () => {
	for (const length of [50, 63, 64, 100, 127, 128, 140, 160, 255]) {
		const [has, answers] = [bios(length), bios(length).map((bio) => `${bio} and more`)];
		const { report, platform } = await attacked(withAnswers(has, answers));
		expect(new Set(outcomesOf(report).map(({ status }) => status))).toEqual(new Set(['updated']));
		expect(platform.registrationOf(uuid, 'p7@example.com').answers.bio).toBe(answers[7]);
	}
});

test('a text that the platform cuts is told with both values, and a hint says what it costs', async () => {
	const { report, platform } = await attacked({
		...withAnswers(bios(40), bios(60)),
		platform: { keptCharacters: 40 },
	});
	expect(platform.changes).toBe(40);
	expect(outcomesOf(report).at(-1)).toMatchObject({
		status: 'not_updated',
		changes: [{ field: 'bio', old: bios(40).at(-1), new: bios(60).at(-1) }],
		reasons: [{ code: 'still_different' }],
	});
	expect(hintsAboutUpdates(outcomesOf(report))).toEqual([
		"'bio' is stored with another value on the platform, for 40 people. This costs 80 requests in every run. Use the platform's value in your list, or remove the field from the mapping.",
	]);
});

test('updates that the platform ignores keep nobody else from being sent', async () => {
	const [has, answers] = [bios(40).map(() => 'Acme'), bios(40).map(() => 'NewCorp')];
	let ignored = 0;
	const { report, platform } = await attacked({
		...withAnswers(has, answers),
		instead(request, ask) {
			if (request.method !== 'PATCH' || (ignored += 1) > 10) return undefined;
			return ask({ method: 'GET', path: request.path });
		},
	});
	expect(platform.changes).toBe(30);
	const became = outcomesOf(report).map(({ status }) => status);
	expect(became.filter((status) => status === 'updated')).toHaveLength(30);
});

function firstHalf({ method, query }: ApiRequest, answer: ApiResponse): ApiResponse {
	if (method !== 'GET' || query?.['page[number]'] === undefined) return answer;
	const { data } = answer.body as { data: unknown[] };
	return { ...answer, body: { data: data.slice(0, 5), meta: undefined } };
}
