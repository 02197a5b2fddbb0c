import { limiters } from '../access/rateLimit';
import { decimal, oneOf, onOff, whole } from './kinds';

const day = 86_400_000;
const share = [0, 1] as const;

/**
 * In what a platform may differ from the one of the specification, as real clients have seen it or as
 * nothing rules out. Each can be changed while the sandbox runs.
 */
export const traits = {
	limiter: oneOf(
		limiters,
		'sliding',
		'How requests are counted: in any second, in each second of the clock, or out of a bucket that fills evenly',
		'fixed',
	),
	limitHeaders: onOff(true, 'Answers carry `RateLimit-…` headers; `Retry-After` is there always'),
	resetUnit: oneOf(
		['seconds', 'milliseconds', 'nanoseconds'],
		'seconds',
		'What `RateLimit-Reset` counts since 1970',
	),
	clockAheadMs: whole(
		0,
		[-day, day],
		"How far the platform's clock is ahead, in `Date` and `RateLimit-Reset`",
		90_000,
	),
	earlyResults: oneOf(
		['partial', 'empty', '404'],
		'partial',
		'What `/jobs/:id/tasks` gives before the end',
		'empty',
	),
	resultsLagMs: whole(0, [0, day], 'A result is shown this much later than its task is done', 250),
	resultsOrder: oneOf(
		['sent', 'shuffled', 'changing'],
		'sent',
		'The order of the results of a job; `changing`: another one at each read',
		'shuffled',
	),
	tasksPaging: oneOf(
		['spec', 'broken'],
		'spec',
		'`broken`: a page parameter on `/jobs/:id/tasks` is a 500, and without one all results come at once',
		'broken',
	),
	jobShape: oneOf(['flat', 'wrapped'], 'flat', '`wrapped`: the job stands in `data`', 'wrapped'),
	jobCounters: oneOf(
		['specification', 'other'],
		'specification',
		'`other`: `total_tasks`, `total_processed_tasks`, `total_succeeded` and `total_failed`',
		'other',
	),
	jobStatus: oneOf(
		['specification', 'completed'],
		'specification',
		'`completed`: what a job that is over is called, whatever its outcome',
		'completed',
	),
	jobIds: oneOf(
		['unique', 'repeated'],
		'unique',
		'`repeated`: every second bulk request is answered with the id of the job before it',
	),
	unknownField: oneOf(
		['task', 'request'],
		'task',
		'What a field that the form does not have makes fail in a bulk request: its task, or the request with 422',
		'request',
	),
	errorWords: oneOf(
		['specification', 'other'],
		'specification',
		'`other`: somebody registered already is told in other words and codes, and with 422 for a single registration',
		'other',
	),
	errorFields: oneOf(
		['straight', 'swapped'],
		'straight',
		'`swapped`: `code` of an error holds the HTTP status, `status` the word for it',
		'swapped',
	),
	missingScope: oneOf(
		['told', 'empty'],
		'told',
		'The body of the 403 for a token without the scope',
		'empty',
	),
	nulls: onOff(
		false,
		'Records as clients have seen them: null for `attendance_rate`, `duration` and `recording_public`, an owner of the type `people`, `registration_type` in capitals',
		true,
	),
	registrationDates: onOff(true, '`registrant_detail` says when somebody was registered'),
	patchAnswer: oneOf(
		['record', 'stale', '502', 'never'],
		'record',
		'What follows a change of a person in a session, which is made in any case; `stale`: the record as it was before',
		'502',
	),
	listChanges: oneOf(
		['none', 'inserted', 'deleted', 'both'],
		'none',
		'What happens to the people of a session between two pages: a stranger is added, the first one is removed',
		'inserted',
	),
	listLagMs: whole(
		0,
		[0, day],
		'How long somebody newly registered is counted, but not in the list of the people of a session',
	),
	firstDelete: oneOf(
		['done', '404'],
		'done',
		'What follows the first DELETE of anything; `404`: it is not found and stays, and goes at the second',
	),
	rotateRefresh: onOff(false, 'A refresh gives a new refresh token and ends the old one', true),
	refreshRefusal: oneOf(
		['invalid_grant', 'invalid_request', 'invalid_scope', '403', 'html'],
		'invalid_grant',
		'How the token endpoint refuses a code or a refresh token that is not good',
		'invalid_request',
	),
	droppedDeliveries: decimal(0, share, 'Share of the deliveries that are never sent', 0.1),
	doubledDeliveries: decimal(0, share, 'Share of the deliveries that are sent twice', 0.2),
	lateDeliveries: decimal(0, share, 'Share of the deliveries that are sent late', 0.2),
	lateMs: whole(1_000, [0, day], 'How late these are'),
	unorderedDeliveries: decimal(
		0,
		share,
		'Share of the deliveries that wait until another one to the same address has left, or for a second',
		0.2,
	),
};
