import { workflowZone } from '../../n8n/workflowZone';
import type { INodeExecutionData } from 'n8n-workflow';
import { summarize } from '../../core/registration/report';
import { isoTime } from '../../core/values/dates';
import { readReportedSession, startInWords } from '../../core/report/session';
import type { RunContext } from '../runContext';
import { pairedItemOf, type FinishedList } from './finishedList';

export function summaryOutputs({ run, report, words }: FinishedList): INodeExecutionData[] {
	return summarize(report, words.statuses).map(({ people, sessionId, record }) => ({
		json: { session_id: sessionId || null, ...sessionColumns(sessionId, run), ...record },
		pairedItem: people.flatMap((person) => pairedItemOf(person) ?? []),
	}));
}

/** Gives the columns by which people know a session. A session that the run did not read for another reason is not read for them, and has nulls. */
function sessionColumns(
	sessionId: string,
	{ sessions, clock, n8n }: RunContext,
): Record<'title' | 'session' | 'start' | 'start_text', string | null> {
	const session = sessions.find(sessionId);
	if (!session) return { title: null, session: null, start: null, start_text: null };
	const reported = readReportedSession(session, clock.now());
	const { title = null, name = null, startsAt } = reported;
	const zone = workflowZone(n8n);
	const start = startsAt === undefined ? null : isoTime(startsAt * 1_000, zone);
	return { title, session: name, start, start_text: startInWords(reported, zone) ?? null };
}
