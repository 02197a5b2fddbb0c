import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { clock } from '../n8n/clock';
import { connect, readApiRoot, readTokenKey } from '../n8n/connect';
import { toActivationError, toNodeError } from '../n8n/nodeError';
import type { Ask } from '../core/client/request';
import { endingAt } from '../core/client/run';
import { namedJobs } from '../core/polling/lists/watchedLists';
import { poll, type PollScope } from '../core/polling/poll';
import { findLatest, findNextStart } from '../core/polling/latest';
import { choosePollWork, leastCostOf, type CalledTrigger } from '../core/polling/pollWork';
import { Allowance, hasLists } from '../core/polling/allowance';
import { ProcessMap } from '../core/values/processState';
import { runOf } from './items';
import { beginPollTime } from './pollTime';
import { parseSwitch, readOptions, readSearch, throwParameterError } from './parameters';
import { readPolling, storePolling, type StoredPolling } from './storage';
import { isStartOfN8n, logOnce, triggerKey } from './triggerContext';
import type { Ms } from '../core/values/units';

/**
 * The contexts that have polled. n8n uses one context from an activation to the deactivation, and calls each of its polls an
 * activation. So only a context that is new tells that somebody has activated the workflow.
 */
const contextsInUse = new WeakSet<IPollFunctions>();
const pollsUnderWay = new ProcessMap<true>('pollsUnderWay');
const allowance = new Allowance();

/** A poll that is due while another one goes on does nothing. */
export async function pollInTurn(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isNewContext = !contextsInUse.has(this);
	// A person has published the workflow. At a start of n8n it is another mode (isStartOfN8n), and n8n's durable scheduler says `update` whatever the reason.
	const isActivated = isNewContext && this.getActivationMode() === 'activate';
	const key = triggerKey(this);
	if (pollsUnderWay.has(key)) return null;
	contextsInUse.add(this);
	pollsUnderWay.set(key, true);
	const isTest = this.getMode() === 'manual';
	try {
		return isTest ? await showLatest(this) : await pollIfDue(this, isActivated);
	} catch (error) {
		// n8n polls for the first time as a part of the activation.
		const toError = isNewContext && !isTest ? toActivationError : toNodeError;
		throw toError(this.getNode(), error, { scope: 'events', apiRoot: await readApiRoot(this) });
	} finally {
		pollsUnderWay.delete(key);
	}
}

/** A trigger, and what n8n alone remembers of it. */
interface TriggerInN8n extends CalledTrigger {
	stored: StoredPolling;
	/** When it began, by our clock, where nothing could be read since then. */
	begunAtMs: Ms;
}

/** Polls, unless nothing is due, or requests of earlier polls are still owed. */
async function pollIfDue(
	context: IPollFunctions,
	isActivated: boolean,
): Promise<INodeExecutionData[][] | null> {
	const nowMs = clock.now();
	const trigger = await readTrigger(context, isActivated, nowMs);
	const { search, poller, stored, begunAtMs } = trigger;
	const { schedule, listsWaitUntilMs, ...work } = choosePollWork(allowance, trigger, nowMs);
	if (listsWaitUntilMs !== undefined && !allowance.hasPolled(poller))
		explainWait(context, listsWaitUntilMs);
	// What begins now and is read later tells what happens from now on. A new schedule begins by the platform's clock, which no response has told yet.
	if (listsWaitUntilMs !== undefined && stored.cursor === undefined)
		storePolling(context, { begunAtMs });
	if (schedule !== stored.schedule) storePolling(context, { schedule });
	if (!work.mayReadLists && work.scheduleWork === undefined) return null;
	const scope = { search, token: poller.token, ...work };
	return await runPoll(context, { ...trigger, stored: { ...stored, schedule } }, scope);
}

async function readTrigger(
	context: IPollFunctions,
	isActivated: boolean,
	nowMs: Ms,
): Promise<TriggerInN8n> {
	const options = readSearch(context);
	const token = await readTokenKey(context);
	const { keepToShare } = readOptions(context);
	const isLimited = parseSwitch(context, 'Limit Monthly Requests', keepToShare);
	const stored = readPolling(context, options.startFrom);
	// One that was noted before a person unpublished the workflow is no beginning of this one.
	const begunAtMs = isActivated ? nowMs : (stored.begunAtMs ?? nowMs);
	const begunAgoSeconds = Math.max(0, Math.floor((nowMs - begunAtMs) / 1_000));
	const hasStored = stored.cursor !== undefined || stored.allowance !== undefined;
	return {
		search: { ...options, isActivated, begunAgoSeconds },
		poller: {
			id: triggerKey(context),
			token,
			leastCost: leastCostOf(options, stored.cursor),
		},
		stored,
		// At a start of n8n nothing stored is no sign of a new trigger: the process may have ended before n8n stored it.
		isNew: !hasStored && !isStartOfN8n(context),
		isLimited,
		begunAtMs,
	};
}

/** Writes to the log, once for each start of n8n, when a trigger polls for the first time, because people wonder why it is quiet. */
function explainWait(context: IPollFunctions, dueAtMs: Ms): void {
	const dueAt = new Date(dueAtMs).toISOString();
	const text = `${context.getNode().name} polls at the first poll time after ${dueAt.slice(0, 10)} ${dueAt.slice(11, 16)} UTC, and finds everything since its last poll. 'Limit Monthly Requests' spreads a third of the month's requests over its days, and what was spent before n8n started is not known.`;
	logOnce(context, 'info', { topic: 'wait', text });
}

/**
 * Polls, and stores how far the lists were read and what that has cost. n8n saves it together with the run that the poll
 * returns, and at the end of an activation. What a poll without news has stored is gone when the process ends.
 */
async function runPoll(
	context: IPollFunctions,
	{ poller, stored, begunAtMs }: TriggerInN8n,
	scope: PollScope,
): Promise<INodeExecutionData[][] | null> {
	const time = beginPollTime(context);
	const run = endingAt(await connect(context), time.deadlineAtMs);
	const { client } = run;
	// Each request is sent once, because the next poll repeats it. Only a limit per second is waited for. A person waits for an activation.
	const usualRetry = scope.search.isActivated ? undefined : 'onlyWhenRateLimited';
	const sendOnce: Ask = ({ retry = usualRetry, ...request }) => client.send({ ...request, retry });
	try {
		const { cursor, schedule, clockAheadSeconds, ...news } = await poll(
			{ ...run, client: { ...client, send: sendOnce } },
			stored,
			scope,
			time,
		);
		warnOfClock(context, clockAheadSeconds);
		warnOfJobs(context, namedJobs(scope.search, cursor));
		// The cursor and the schedule tell themselves when they began.
		const hasBegun = (hasLists(poller) ? cursor : schedule) !== undefined;
		storePolling(context, {
			cursor,
			schedule,
			clockAheadSeconds,
			begunAtMs: hasBegun ? undefined : begunAtMs,
		});
		return runOf(context, news);
	} finally {
		const { requests, month } = client.usage;
		const haveListsWaited = hasLists(poller) && !scope.mayReadLists;
		const cost = { requests, month, haveListsWaited };
		const spent = allowance.addPoll(poller, cost, clock.now());
		storePolling(context, { allowance: spent });
	}
}

/** A clock that is so wrong spoils more than this trigger, such as certificates and n8n's own schedules. */
function warnOfClock(context: IPollFunctions, aheadSeconds = 0): void {
	const hours = Math.round(Math.abs(aheadSeconds) / 3_600);
	if (hours < 24) return;
	const direction = aheadSeconds > 0 ? 'ahead of' : 'behind';
	const text = `The clock of the machine on which n8n runs is ${hours} hours ${direction} the platform's. Set it right. Until then ${context.getNode().name} goes by the platform's clock.`;
	logOnce(context, 'warn', { topic: 'clock', text });
}

function warnOfJobs(context: IPollFunctions, jobs: ReturnType<typeof namedJobs>): void {
	for (const { id } of jobs.filter(({ isUnread }) => isUnread)) {
		const text = `Each try to read the job ${id} fails. If nothing else fails, check 'Job IDs' of ${context.getNode().name}, which asks for it less and less often, at last once an hour.`;
		logOnce(context, 'warn', { topic: `job ${id}`, text });
	}
}

/** The test button of the editor shows the next start where starts or changes of sessions are chosen, else the latest event. */
async function showLatest(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const run = await connect(context);
	const search = readSearch(context);
	const nowSeconds = Math.floor(Date.now() / 1_000);
	const next = await findNextStart(run, search, nowSeconds);
	const event = next ?? (await findLatest(run, search, nowSeconds));
	if (event) return runOf(context, { news: [event], failures: [] });
	throwParameterError(
		context,
		'Nothing of this kind was found to test with',
		'The platform shows no such event of the last 30 days in the sessions that this node checks, no session to come, or the job has not ended. Register somebody or plan a session to test with, or choose other events.',
	);
}
