import { outcomesOf } from '../../../nodes/EventPlatform/core/registration/runOutcome';
import fc from 'fast-check';
import { emailAndAddressOf, type Row } from '../../../nodes/EventPlatform/core/people/registration';
import { syncStatuses } from '../../../nodes/EventPlatform/core/people/outcome';
import { plannedStatusOf } from '../../../nodes/EventPlatform/core/sync/intent';
import {
	runSync,
	type SyncOptions,
	type SyncOutcome,
} from '../../../nodes/EventPlatform/core/sync/syncRun';
import type { PlatformModel, Registration } from '../../support/platform/platformModel';
import { modelScene, type Circumstances } from '../../support/runs/simulation';
import type { ModelOptions } from '../../support/platform/platformOptions';

interface Person {
	sessionId: string;
	email: string;
	registration: Registration;
}

const sessionId = fc.constantFrom('a', 'a', 'b');
const number = fc.nat({ max: 40 });
const name = fc.constantFrom('Ada', 'Grace', 'Alan');

const fifty = 'x'.repeat(50);
/** Answers that are easily taken for one another; only those that differ in spaces are the same. */
const company = fc.constantFrom(
	'Acme',
	'Acme ',
	'acme',
	'Initech',
	'1.1',
	'1.10',
	'yes',
	'true',
	'1',
	'03/04/2026',
	'2026-04-03',
	'2026-03-04',
	'A, B',
	'B, A',
	fifty,
	`${fifty}x`,
	`${fifty} and more`,
	`${fifty}...`,
);

/** Gives the part of an answer that is left when spaces do not count. */
const plain = (answer = '') => answer.replace(/\s+/g, ' ').trim();

const registered = fc.array(
	fc
		.record({
			sessionId,
			number,
			name: fc.option(name, { nil: undefined }),
			company: fc.option(company, { nil: undefined }),
			isTeam: fc.nat({ max: 9 }).map((nth) => nth === 0),
			attended: fc.nat({ max: 4 }).map((nth) => nth === 0),
		})
		.map(({ sessionId, number, name, company, isTeam, attended }): Person => ({
			sessionId,
			email: `p${number}@example.com`,
			registration: {
				role: isTeam ? 'team_member' : 'participant',
				answers: { ...(name && { first_name: name }), ...(company && { company }) },
				attended,
			},
		})),
	{ maxLength: 120, size: 'max' },
);

const anyRows = fc.array(
	fc
		.record({
			sessionId: fc.constantFrom('a', 'a', 'a', 'a', 'b', 'b', 'gone', 'closed', '..', ''),
			number,
			letter: fc.constantFrom('p', 'p', 'p', 'P', 'bad'),
			name: fc.option(name, { nil: undefined }),
			company: fc.option(company, { nil: undefined }),
			problem: fc.nat({ max: 15 }).map((nth) => nth === 0),
			isEmpty: fc.nat({ max: 15 }).map((nth) => nth === 0),
		})
		.map(({ sessionId, number, letter, name, company, problem, isEmpty }): Row => {
			const email = isEmpty ? undefined : `${letter}${number}@example.com`;
			const fields = [
				...(email ? [{ id: 'email', value: email }] : []),
				...(name ? [{ id: 'first_name', value: name }] : []),
				...(company ? [{ id: 'company', value: company }] : []),
			];
			const problems = problem || isEmpty ? ['Not an address'] : [];
			return {
				sessionId,
				...emailAndAddressOf(email),
				problems,
				registration: { fields, tracking: {} },
			};
		}),
	{ maxLength: 100, size: 'max' },
);

/** Half of the lists leave nothing in doubt: nothing would ever be removed for the others. */
const rows = fc.tuple(anyRows, fc.boolean()).map(([list, isClean]) => {
	const isGood = ({ sessionId, email = 'bad', problems }: Row) =>
		['a', 'b'].includes(sessionId) && !email.startsWith('bad') && problems.length === 0;
	return isClean ? list.filter(isGood) : list;
});

/** Happens in one of eight worlds. */
function seldom<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
	return fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

const options: fc.Arbitrary<SyncOptions> = fc.record({
	mayRemoveOthers: fc.constantFrom(true, true, true, false),
	mostRemovals: fc.constantFrom(undefined, 0, 10, 1_000, 1_000, 1_000, 1_000),
	mayRemoveDespiteProblems: fc.boolean(),
	isDryRun: fc.nat({ max: 5 }).map((nth) => nth === 0),
	maxWaitSeconds: fc.constantFrom(900, 900, 900, 5),
});

/** The status of a session. Most runs are for sessions that are still to come. */
const status = fc.constantFrom(
	...Array.from({ length: 6 }, () => 'upcoming'),
	'on_demand',
	'past',
	'canceled',
	'live',
	'past_not_started',
	'rehearsal',
);

const worlds: fc.Arbitrary<Partial<ModelOptions>> = fc.record({
	seed: fc.nat(),
	statuses: fc.record({ a: status, b: status }),
	ids: fc.constantFrom('address', 'counted'),
	keptCharacters: fc.constantFrom(Infinity, Infinity, 50, 20),
	perSecond: fc.constantFrom(5, 50),
	pageSize: fc.constantFrom(50, 20),
	order: fc.constantFrom('kept', 'shuffled'),
	emails: fc.constantFrom('as-sent', 'lower-case'),
	words: fc.constantFrom('specification', 'other'),
	limiter: fc.constantFrom('sliding', 'fixed', 'bucket'),
	explains403: fc.boolean(),
});

const troubles: fc.Arbitrary<Partial<Circumstances>> = fc.record({
	platform: fc.record({
		troubles: fc.constantFrom(0, 0, 0, 0.02, 0.1, 0.4, 1),
		monthly: seldom(fc.constantFrom(3, 10, 30)),
		refuseAfter: seldom(
			fc.record({
				requests: fc.nat({ max: 20 }),
				status: fc.constantFrom(401, 402, 403),
				onlyPosts: fc.boolean(),
			}),
		),
	}),
	cancelAfterMs: seldom(fc.nat({ max: 8_000 })),
});

/** Lists the things that a run did and that no run may do, whatever happens. */
function lies(
	list: readonly Row[],
	before: readonly Person[],
	settings: SyncOptions,
	report: SyncOutcome,
	platform: PlatformModel,
): string[] {
	platform.settle();
	const { plan } = report;
	const outcomes = outcomesOf(report);
	const wrong: string[] = [];
	if (outcomes.length !== plan.candidates.length) wrong.push('not one outcome for each');
	for (const [index, { row }] of plan.candidates.entries()) {
		const { sessionId, email = '' } = row;
		const outcome = outcomes[index];
		const status = outcome?.status;
		const says = `${email} of ${sessionId} is ${status}`;
		const knownStatuses: readonly string[] = [...syncStatuses, ...Object.values(plannedStatusOf)];
		if (!status || !knownStatuses.includes(status)) wrong.push(says);
		if (settings.isDryRun) continue;
		const isThere = platform.isRegistered(sessionId, email);
		const isSo = ['added', 'updated', 'unchanged', 'already_registered'].includes(status ?? '');
		if (isSo && !isThere) wrong.push(`${says}, but not there`);
		if (status === 'removed' && isThere) wrong.push(`${says}, but there`);
		const isAs = status === 'added' || status === 'updated' || status === 'unchanged';
		const { role, answers } = platform.registrationOf(sessionId, email);
		if (!isAs || role === 'team_member') continue;
		for (const { id, value } of list[index]?.registration.fields ?? []) {
			const isSame = plain(answers[id]) === plain(String(value));
			if (id !== 'email' && !isSame) wrong.push(`${says}, with another ${id}`);
		}
	}
	const doubtful = new Set(
		outcomes.flatMap(({ status }, index) =>
			index < list.length && ['failed', 'already_registered', 'unknown'].includes(status)
				? (plan.candidates[index]?.row.sessionId ?? [])
				: [],
		),
	);
	// An update that failed leaves removals alone.
	const changedWithout = new Set(
		outcomes.flatMap(({ status, person }, index) =>
			person && ['failed', 'unknown'].includes(status)
				? (plan.candidates[index]?.row.sessionId ?? [])
				: [],
		),
	);
	const listed = new Set(list.map((row) => `${row.sessionId} ${row.email?.toLowerCase()}`));
	/** Nobody knows of which session these rows are. */
	const stray = list.filter(({ sessionId }) => !['a', 'b'].includes(sessionId));
	const listedAnywhere = new Set(stray.map(({ email = '' }) => email.toLowerCase()));
	const removed = new Map<string, number>();
	for (const { sessionId, email, registration } of latest(before)) {
		if (platform.isRegistered(sessionId, email)) {
			const { answers, role } = platform.registrationOf(sessionId, email);
			const isSame = JSON.stringify(answers) === JSON.stringify(registration.answers);
			if (role === 'team_member' && !isSame) wrong.push(`${email} of the team was changed`);
			const { company = '' } = registration.answers;
			if (company !== '' && !answers.company) wrong.push(`${email} lost answers`);
			const isListed = listed.has(`${sessionId} ${email}`);
			if (!isListed && !isSame) wrong.push(`${email} is not listed and was changed`);
			continue;
		}
		if (registration.attended) wrong.push(`${email} attended and was removed`);
		const status = platform.options.statuses[sessionId] ?? '';
		if (status !== 'upcoming') wrong.push(`${email} left a ${status} session`);
		if (listedAnywhere.has(email)) wrong.push(`${email} was removed, and is listed somewhere`);
		if (!settings.mayRemoveOthers) wrong.push(`${email} was removed`);
		if (registration.role === 'team_member') wrong.push(`${email} of the team was removed`);
		if (listed.has(`${sessionId} ${email}`)) wrong.push(`${email} was removed, and is listed`);
		const wasSure = settings.mayRemoveDespiteProblems === true || !doubtful.has(sessionId);
		if (!wasSure && !changedWithout.has(sessionId)) wrong.push(`${email} was removed, in doubt`);
		removed.set(sessionId, (removed.get(sessionId) ?? 0) + 1);
	}
	for (const [sessionId, count] of removed) {
		const there = new Set(
			before.filter((person) => person.sessionId === sessionId).map((person) => person.email),
		);
		const most = settings.mostRemovals ?? Math.max(1, Math.floor(there.size / 5));
		if (count > most) wrong.push(`${count} people were removed`);
	}
	return wrong;
}

/** Gives each person once. Somebody who is registered twice has the values that came last. */
function latest(before: readonly Person[]): Person[] {
	const byKey = before.map((person) => [`${person.sessionId} ${person.email}`, person] as const);
	return [...new Map(byKey).values()];
}

const numRuns = Number(process.env.SIMULATION_RUNS ?? 100);

test('whatever the platform does, what is said of everybody is so, and nobody is removed who stays', async () => {
	await fc.assert(
		fc.asyncProperty(rows, registered, options, worlds, troubles, async (list, before, ...more) => {
			const [settings, world, { platform: trouble, ...rest }] = more;
			const scene = modelScene({ before, platform: { ...world, ...trouble }, ...rest });
			const report = await scene.clock.run(runSync(list, scene.parts, settings));
			expect(lies(list, before, settings, report, scene.platform)).toEqual([]);
		}),
		{ numRuns },
	);
});

test('a dry run says what the run does; after it, and after one that was stopped, a second run writes nothing', async () => {
	const wholeLists = rows.map((list) => list.filter(({ email = '' }) => !email.startsWith('bad')));
	const stops = fc.option(fc.nat({ max: 6_000 }), { nil: undefined, freq: 2 });
	await fc.assert(
		fc.asyncProperty(
			wholeLists,
			registered,
			fc.boolean(),
			worlds,
			stops,
			async (list, before, mayRemoveOthers, world, cancelAfterMs) => {
				const settings = {
					mayRemoveOthers,
					mostRemovals: 1_000,
					mayRemoveDespiteProblems: true,
					maxWaitSeconds: 900,
				};
				// What the platform cuts is sent in each run.
				const steady: Partial<ModelOptions> = { ...world, keptCharacters: Infinity };
				const { clock, platform } = modelScene({ before, platform: steady });
				const run = (isDryRun: boolean, more: Circumstances = {}) => {
					const { parts } = modelScene(more, clock, platform);
					return clock.run(runSync(list, parts, { ...settings, isDryRun }));
				};
				const state = () => {
					const there = [...platform.registered].map(([id, people]) =>
						[...people].map((email) => id + email),
					);
					return [there.flat().sort(), platform.changes];
				};
				if (cancelAfterMs !== undefined) {
					await run(false, { cancelAfterMs });
					// The requests that were under way arrive.
					await clock.run(clock.sleep(60_000));
					platform.settle();
				}
				const begun = state();
				const planned = await run(true);
				expect(state()).toEqual(begun);

				const real = await run(false);
				const plannedAs: Partial<Record<string, string>> = plannedStatusOf;
				const said = statuses(real).map((status) => plannedAs[status] ?? status);
				expect(said).toEqual(statuses(planned));
				expect(lies(list, before, { ...settings, isDryRun: false }, real, platform)).toEqual([]);

				const done = state();
				const again = await run(false);
				expect(state()).toEqual(done);
				expect(again.jobs).toEqual([]);
			},
		),
		{ numRuns: Math.ceil(numRuns / 3) },
	);
});

function statuses(report: SyncOutcome) {
	return outcomesOf(report).map(({ status }) => status);
}
