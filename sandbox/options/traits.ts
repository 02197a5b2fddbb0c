import { limiters } from '../access/rateLimit';
import { decimal, oneOf, onOff, whole } from './kinds';

const dayMs = 86_400_000;
const share = [0, 1] as const;

/**
 * The ways in which a platform may differ from the one of the specification, as real clients have seen
 * it or as nothing rules out. Each can be changed while the sandbox runs.
 */
export const traits = {
	endpoints: oneOf(
		['all', 'specified'],
		'all',
		'`specified`: every method and path that section 4.3 does not name is a 404',
	),
	strict: onOff(
		false,
		'400 for query parameters, pages above 50 and members of a body that the specification does not name, for values that are no texts, and for a bulk request that is not `application/vnd.api+json`; also instead of a 422',
	),
	oauthParams: oneOf(
		['any', 'query', 'form'],
		'any',
		'Where the token endpoint reads its parameters',
	),
	recordFields: oneOf(
		['all', 'few', 'none'],
		'all',
		'How much records show besides `type` and `id`: everything that is public, one field by which people know the record (the email and the names of a person), or no `attributes` at all',
	),
	limiter: oneOf(
		limiters,
		'sliding',
		'How the platform counts requests: in any second, in each second of the clock, or with a bucket that fills evenly',
		'fixed',
	),
	limitHeaders: onOff(true, 'Answers carry `RateLimit-…` headers; `Retry-After` is always there'),
	resetUnit: oneOf(
		['seconds', 'milliseconds', 'nanoseconds'],
		'seconds',
		'Unit in which `RateLimit-Reset` counts since 1970',
	),
	clockAheadMs: whole(
		0,
		[-dayMs, dayMs],
		"How far the platform's clock is ahead, in `Date` and `RateLimit-Reset`",
		90_000,
	),
	earlyResults: oneOf(
		['partial', 'empty', '404', '400', '409', '422', '425'],
		'partial',
		'What `/jobs/:id/tasks` returns before the job has ended',
		'empty',
	),
	resultsLagMs: whole(0, [0, dayMs], 'Time between the end of a task and its result', 250),
	resultsOrder: oneOf(
		['sent', 'shuffled', 'changing'],
		'sent',
		'Order of the results of a job; `changing`: another order at each read',
		'shuffled',
	),
	tasksPaging: oneOf(
		['spec', 'broken'],
		'spec',
		'`broken`: a page parameter on `/jobs/:id/tasks` gives a 500, and without one all results come at once',
		'broken',
	),
	emptyPage: oneOf(
		['list', '400'],
		'list',
		'What page 0 of a list with nothing in it is: an empty list, or a page that does not exist',
	),
	jobReadStatus: oneOf(['200', '202', '207'], '200', 'HTTP status of `GET /jobs/:id`'),
	meShape: oneOf(
		['user', 'organization', 'userWithOrganization'],
		'user',
		'Answer of `/me`: a user related to the organization, the organization, or a user with the organization among the attributes',
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
		'`completed`: every job that has ended has this status, whatever its outcome',
		'completed',
	),
	jobIds: oneOf(
		['unique', 'repeated'],
		'unique',
		'`repeated`: the answer to every second bulk request has the id of the job before it',
	),
	registrationAnswer: oneOf(
		['wrapped', 'record', 'noId', 'ok', 'empty'],
		'wrapped',
		'Body of the answer to a single registration: the person in `data`, the person alone, in `data` without an id, `{"ok": true}`, or nothing',
	),
	registrationStatus: oneOf(
		['201', '200', '202', '204'],
		'201',
		'HTTP status of the answer to a single registration; a 204 has no body',
	),
	registeredStatus: oneOf(
		['409', '400', '422'],
		'409',
		'HTTP status of a single registration of somebody who is registered already',
	),
	personShape: oneOf(
		['attributes', 'flat', 'fields', 'nested', 'bare'],
		'attributes',
		'Where the email stands in the person of a result or of a single registration: in `attributes`, beside the id, only among `attributes.fields`, in `attributes.person.contact`, or nowhere',
	),
	attributesShape: oneOf(
		['slug', 'id', 'name', 'uuid', 'plain', 'list', 'object', '404', '403'],
		'slug',
		'Answer of `/people_attributes`: records named by `attributes.slug`, by `id`, by `attributes.name`, or by `attributes.name` beside a UUID as `id`; texts in `data`, a list without `data`, an object with one member for each attribute, or a refusal',
	),
	publicEvent: onOff(
		false,
		'Forms have no field `email`, and each registration makes a new person with an email that the platform makes up, whatever was sent',
	),
	unknownField: oneOf(
		['task', 'request'],
		'task',
		'What fails if a bulk request has a field that the form does not have: its task, or the whole request with 422',
		'request',
	),
	errorWords: oneOf(
		['specification', 'other'],
		'specification',
		'`other`: other texts and codes for people who are already registered, and 422 instead of 409 for a single registration',
		'other',
	),
	errorShape: oneOf(
		['errors', 'message', 'error', 'text', 'empty'],
		'errors',
		'Body of a refused request: `{"errors": […]}`, `{"code", "message"}`, `{"error"}`, a text, or nothing',
	),
	errorFields: oneOf(
		['straight', 'swapped'],
		'straight',
		'`swapped`: `code` of an error has the HTTP status, and `status` has the word for it',
		'swapped',
	),
	missingScope: oneOf(
		['told', 'empty'],
		'told',
		'Body of the 403 for a token without the scope',
		'empty',
	),
	nulls: onOff(
		false,
		'Records as only some clients have seen them: null for `required` of every question and for `recording_public`, sessions without the member `name` where they have none',
		true,
	),
	registrationDates: onOff(true, '`registrant_detail` says when somebody was registered'),
	patchAnswer: oneOf(
		['record', 'stale', '502', 'never'],
		'record',
		'Answer to an update of a person in a session. The update is always made. `stale`: the record as it was before',
		'502',
	),
	listChanges: oneOf(
		['none', 'inserted', 'deleted', 'both'],
		'none',
		'What happens to the people of a session between two pages: somebody is added, or the first person is removed',
		'inserted',
	),
	listLagMs: whole(
		0,
		[0, dayMs],
		'How long a new registration is counted but missing from the list of people of the session',
	),
	firstDelete: oneOf(
		['done', '404'],
		'done',
		'Answer to the first DELETE of a record; `404`: the record stays, and the second DELETE removes it',
	),
	rotateRefresh: onOff(false, 'A refresh returns a new refresh token and ends the old one', true),
	refreshRefusal: oneOf(
		['invalid_grant', 'invalid_request', 'invalid_scope', '403', 'html'],
		'invalid_grant',
		'How the token endpoint refuses an invalid code or refresh token',
		'invalid_request',
	),
	deliveryMeta: onOff(
		true,
		'Deliveries name their event in `data.meta.webhook`, except those of job.ended',
	),
	droppedDeliveries: decimal(0, share, 'Share of the deliveries that are never sent', 0.1),
	doubledDeliveries: decimal(0, share, 'Share of the deliveries that are sent twice', 0.2),
	lateDeliveries: decimal(0, share, 'Share of the deliveries that are sent late', 0.2),
	lateMs: whole(1_000, [0, dayMs], 'Delay of late deliveries'),
	unorderedDeliveries: decimal(
		0,
		share,
		'Share of the deliveries that wait until another one to the same address has left, at most a second',
		0.2,
	),
};
