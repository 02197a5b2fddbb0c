import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';
import { unixSeconds } from '../parameters/dates';
import { canBeListed } from '../core/deliveries/happened';
import {
	begin,
	findLatest,
	note,
	readNews,
	type Cursor,
	type Wanted,
} from '../core/deliveries/polling';
import { recordOf } from '../core/deliveries/output';
import { text } from '../core/http/text';
import { itemsOf } from './items';
import { readFilters, readKinds, refuse } from './settings';

/** n8n polls with one context from an activation to the deactivation, or with another one each time. */
const contexts = new WeakMap<IPollFunctions, { isPolling: boolean }>();

/** Starts a run for each event that is new. A poll that is due while one goes on is left out. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isNew = !contexts.has(context) && context.getActivationMode() === 'activate';
	const state = contexts.get(context) ?? { isPolling: false };
	if (state.isPolling) return null;
	contexts.set(context, state);
	state.isPolling = true;
	try {
		const isTest = context.getMode() === 'manual';
		return isTest ? await showLatest(context) : await startRuns(context, isNew);
	} catch (error) {
		throw toNodeError(context.getNode(), error, { scope: 'events' });
	} finally {
		state.isPolling = false;
	}
}

async function startRuns(context: IPollFunctions, isNew: boolean): Promise<null> {
	const now = unixNow();
	const wanted = readWanted(context);
	const stored = context.getWorkflowStaticData('node') as { cursor?: Cursor };
	const copy = stored.cursor && (JSON.parse(JSON.stringify(stored.cursor)) as Cursor);
	const cursor = begin(copy, { isNew, startFrom: readStartFrom(context), now });
	const { api } = await connect(context);
	const { news, next } = await readNews(api, cursor, wanted, now);
	stored.cursor = news.length > 1 ? cursor : next;
	// n8n saves what is stored with each run that starts.
	for (const [index, event] of news.entries()) {
		if (index === news.length - 1) stored.cursor = next;
		else note(stored.cursor, event);
		context.__emit([itemsOf(context, [recordOf(event, Date.now())])]);
	}
	return null;
}

/** The test button of the editor. */
async function showLatest(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	const { api } = await connect(context);
	const latest = await findLatest(api, readWanted(context), unixNow());
	if (latest) return [itemsOf(context, [recordOf(latest, Date.now())])];
	refuse(
		context,
		'Nothing of this kind was found to test with',
		'The platform shows no such event of the last 30 days in the sessions that are looked at, or the job has not ended. Register somebody for a trial, or choose other events.',
	);
}

function readWanted(context: IPollFunctions): Wanted {
	const { endedWithinDays = 1 } = context.getNodeParameter('options', {}) as IDataObject;
	const kinds = readKinds(context);
	const filters = readFilters(context);
	for (const name of ['sessionId', 'eventId'] as const) {
		filters[name] = text(context.getNodeParameter(name, '', { extractValue: true })).trim();
	}
	const hidden = kinds.filter((kind) => kind !== 'job.ended' && !canBeListed(kind));
	if (kinds.length === 0)
		refuse(context, 'No event is chosen', "Choose at least one under 'Trigger On'.");
	if (hidden.length > 0) {
		refuse(
			context,
			`The platform does not list ${hidden.join(', ')}`,
			'Choose other events, or use the Event Platform Trigger, which the platform tells of them.',
		);
	}
	if (kinds.includes('job.ended') && filters.jobIds.length === 0) {
		refuse(
			context,
			'Which jobs to wait for is not said',
			"The platform does not list jobs. Name them under 'Job IDs', or use the Event Platform Trigger, which hears of all jobs.",
		);
	}
	return { kinds, filters, endedWithinDays: Math.max(0, Number(endedWithinDays)) || 0 };
}

function readStartFrom(context: IPollFunctions): number | undefined {
	const { startFrom = '' } = context.getNodeParameter('options', {}) as IDataObject;
	if (startFrom === '') return undefined;
	const seconds = unixSeconds(startFrom, context.getTimezone());
	return (
		seconds ??
		refuse(
			context,
			"'Start From': this is not a date",
			'Give an ISO 8601 date such as 2026-11-28T10:30:00Z, or Unix seconds.',
		)
	);
}

function unixNow(): number {
	return Math.floor(Date.now() / 1_000);
}
