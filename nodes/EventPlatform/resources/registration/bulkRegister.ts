import { NodeOperationError } from 'n8n-workflow';
import type { AllItemsOperation, Run } from '../operation';
import { registrationFields } from '../../form/registrationFields';
import { forecast, rehearse, shortage, type Report } from '../../core/bulk/report';
import { notSent } from '../../core/bulk/outcome';
import type { RunParts } from '../../core/bulk/parts';
import { planRun, type Candidate, type Plan } from '../../core/bulk/plan';
import { runBulk } from '../../core/bulk/run';
import { asFailure, Failure } from '../../core/http/failure';
import {
	readSession,
	sessionOf,
	whyClosed,
	type SessionRead,
} from '../../core/sessions/readSession';
import { attributesOf } from '../../core/http/jsonApi';
import { text } from '../../core/http/text';
import { shownTime } from '../../parameters/dates';
import type { JsonObject } from '../../core/http/ports';
import { remainingNow } from '../../core/http/quota';
import type { Fields } from '../../core/records/simplify';
import { rememberPeople } from '../../core/results/taskRecords';
import { failureText } from '../../core/failures/causes';
import { Meanings } from '../../core/failures/meanings';
import { bulkFields, bulkSettings, forAllItems, type BulkSettings } from './bulkFields';
import { shape } from '../records';
import { oldAnswersStay } from './register';
import { failedPeople, finish, untilMoreRequests, type FinishedRun } from './bulkOutput';
import { peopleOfItems, type People } from './peopleOfItems';

export const bulkRegister: AllItemsOperation = {
	action: 'Bulk register people',
	description:
		'Register all input items for one or more sessions, with as few requests as possible',
	usesReserve: true,
	fields: [...registrationFields, ...bulkFields],
	async runAll(run) {
		const settings = forAllItems(run, bulkSettings);
		const read = await peopleOfItems(run);
		const { people } = read;
		const plan = planRun(settings.validatesOnly ? await withClosedSessions(people, run) : people);
		const report = await perform(plan, settings, read, run);
		const isOld = report.outcomes.some(({ status }) => status === 'already_registered');
		const hints = isOld ? [`Some people were already registered. ${oldAnswersStay}`] : [];
		const output = finish({ plan, report, settings, words, hints }, read, run);
		if (settings.failsOnAnyFailure && !run.context.continueOnFail()) refuseFailures(report, run);
		return output;
	},
};

const words: FinishedRun['words'] = {
	...{ run: 'Bulk registration', done: 'registered', registered: 'registered' },
	...{ rehearsal: '', refused: untilMoreRequests },
};

async function perform(
	plan: Plan,
	settings: BulkSettings,
	read: People,
	run: Run,
): Promise<FinishedRun['report']> {
	const { api, clock } = run;
	const cost = forecast(plan, settings.waits, api.usage);
	if (settings.validatesOnly) return rehearse(plan, cost);
	const tooLittle =
		shortage(cost.requests, api.usage.monthlyRemaining) &&
		shortage(cost.requests, await remainingNow(api, clock));
	if (tooLittle !== undefined) return withheld(plan, tooLittle);
	return await runBulk(plan, partsOf(run, read, settings), settings);
}

/** People of a session that is over, was canceled or cannot be found are invalid before the platform says so. */
async function withClosedSessions(people: readonly Candidate[], run: Run): Promise<Candidate[]> {
	const problems = new Map<string, string | undefined>();
	const meanings = new Meanings();
	for (const { sessionId: id } of planRun(people).chunks) {
		if (problems.has(id)) continue;
		const read = await readSession(run.api, id).catch(asFailure);
		if (!(read instanceof Failure)) {
			meanings.isAllowed();
			problems.set(id, whyClosed(read, sessionName(read, run.context.getTimezone())));
		} else if (meanings.of(read, id).ends === 'session') problems.set(id, explain(read));
		else throw read;
	}
	return people.map((person) => {
		const problem = problems.get(person.sessionId);
		return problem === undefined ? person : { ...person, problems: [...person.problems, problem] };
	});
}

/** What a run over these people needs. */
export function partsOf(
	{ api, apiRoot, clock, signal, context }: Run,
	{ people: everyone, notes }: People,
	{ includesDetails }: Pick<BulkSettings, 'includesDetails'>,
): RunParts {
	const zone = context.getTimezone();
	return {
		api,
		clock,
		signal,
		explain(failure, jobId) {
			const read = sessionOf(api, failure.request);
			return explain(failure, jobId, read && sessionName(read, zone));
		},
		show(fields) {
			notes.hear(fields);
			return includesDetails ? shape(fields, zone) : briefly(fields);
		},
		// A long run is watched in n8n's log, so this is no detail for debugging.
		log: (message) => context.logger.info(message),
		// A trigger that hears of the job's end may have to say whom the platform refused.
		onJob({ id, sessionId, people }) {
			const emails = people.map((index) => everyone[index]?.email ?? '');
			rememberPeople(apiRoot, id, { sessionId, emails });
		},
	};
}

/** What an output without details has of a record. */
function briefly(fields: Fields): JsonObject {
	const names = ['id', 'first_name', 'last_name'];
	return Object.fromEntries(names.map((name) => [name, fields.get(name) ?? null]));
}

function explain(failure: Failure, jobId?: string, session?: string): string {
	const about = { what: 'the session', scope: 'events', jobId };
	const { title, description } = failureText(failure, about);
	return `${session === undefined ? '' : `${session}: `}${title}. ${description}`;
}

/** The month's requests cannot cover it: better nobody than half of them. */
function withheld(plan: Plan, message: string): FinishedRun['report'] {
	const code = 'quota_spent';
	const outcome = notSent({ code, message: `${message} ${untilMoreRequests}` });
	const outcomes = plan.outcomes.map((known) => known ?? outcome);
	const refusal = { code, message };
	return { outcomes, jobs: [], requests: 0, requestsBySession: new Map(), seconds: 0, refusal };
}

function refuseFailures({ outcomes, jobs }: Report, { context }: Run): void {
	const failed = failedPeople(outcomes);
	if (failed.length === 0) return;
	const message = `${failed.length} of ${outcomes.length} people could not be registered`;
	const reasons = [...new Set(failed.map((index) => outcomes[index]?.errors[0]?.message))];
	const ids = jobs.length === 0 ? '' : ` Jobs: ${several(jobs.map(({ id }) => id))}.`;
	throw new NodeOperationError(context.getNode(), message, {
		itemIndex: failed[0],
		description: `${several(reasons)}${ids} Turn off 'Fail on Any Failure' to get an item for everyone.`,
	});
}

function several(texts: ReadonlyArray<string | undefined>): string {
	const more = texts.length > 5 ? ` and ${texts.length - 5} more` : '';
	return `${texts.slice(0, 5).join(', ')}${more}`;
}

/** "'Product Tour' (29 Nov 10:00 Europe/Paris)": the session as people know it, rather than its id. */
export function sessionName({ session, event }: SessionRead, workflowZone: string): string {
	const { name, estimated_started_at: start, timezone } = attributesOf(session);
	const titles = [event ? text(attributesOf(event).title) : '', text(name)].filter(Boolean);
	const zone = text(timezone) || workflowZone;
	const time = Number(start) > 0 ? shownTime(start, zone) : undefined;
	const what = titles.length > 0 ? `'${titles.join(', ')}'` : `The session ${text(session.id)}`;
	return time === undefined ? what : `${what} (${time} ${zone})`;
}
