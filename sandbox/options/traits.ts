import { limiters } from '../access/rateLimit';
import { decimal, oneOf, onOff, whole } from './kinds';

const dayMs = 86_400_000;
const share = [0, 1] as const;

/**
 * The ways in which a platform may differ from the one of the specification. Each can be changed while the sandbox runs. What a
 * trait rests on stands above it: a section that leaves it open, an answer that was recorded (test/support/recordedAnswers), the
 * vendor's own pages, or a public client that runs against the service.
 */
export const traits = {
	// 4.3: "Only the operations below are specified", and 1: the full list is not shown.
	endpoints: oneOf(
		['all', 'specified'],
		'all',
		'`specified`: every method and path that section 4.3 does not name is a 404',
	),
	// 4.3 and 7: what the text does not name, and that it has no 422.
	strict: onOff(
		false,
		'400 for query parameters, pages above 50 and members of a body that the specification does not name, for values that are no texts, and for a bulk request that is not `application/vnd.api+json`; also instead of a 422',
	),
	// 4.1 has the query; the vendor's own code sends a form, and other public clients the query.
	oauthParams: oneOf(
		['any', 'query', 'form'],
		'any',
		'Where the token endpoint reads its parameters',
	),
	// 2.6: the fields of these records are not shown.
	recordFields: oneOf(
		['all', 'few', 'none'],
		'all',
		'How much records show besides `type` and `id`: everything that is public, one field by which people know the record (the email and the names of a person), or no `attributes` at all',
	),
	// 8 says how many requests, and not how they are counted.
	limiter: oneOf(
		limiters,
		'sliding',
		'How the platform counts requests: in any second, in each second of the clock, or with a bucket that fills evenly',
		'fixed',
	),
	// 8 names no header; the vendor's pages do.
	limitHeaders: onOff(true, 'Answers carry `RateLimit-…` headers; `Retry-After` is always there'),
	// The vendor's pages call it a timestamp, without a unit.
	resetUnit: oneOf(
		['seconds', 'milliseconds'],
		'seconds',
		'Unit in which `RateLimit-Reset` counts since 1970',
	),
	// Two machines: n8n and the platform need not agree on the time.
	clockAheadMs: whole(
		0,
		[-30 * dayMs, 30 * dayMs],
		"How far the platform's clock is ahead, in `Date` and `RateLimit-Reset`",
		90_000,
	),
	// 3.1 and 4.3 do not say what the results show before the end.
	earlyResults: oneOf(
		['partial', 'empty', '404'],
		'partial',
		'What `/jobs/:id/tasks` returns before the job has ended',
		'empty',
	),
	// 4.3 does not say that results are there as soon as the counts are.
	resultsLagMs: whole(0, [0, dayMs], 'Time between the end of a task and its result', 250),
	// 2.3 has no reference to the task; the vendor's own client goes by the order.
	resultsOrder: oneOf(
		['sent', 'shuffled', 'changing'],
		'sent',
		'Order of the results of a job; `changing`: another order at each read',
		'shuffled',
	),
	// 4.2 has pages for every list; the vendor's own client notes that any page parameter once gave a 500.
	tasksPaging: oneOf(
		['spec', 'broken'],
		'spec',
		'`broken`: a page parameter on `/jobs/:id/tasks` gives a 500, and without one all results come at once',
		'broken',
	),
	// 4.2: a page that does not exist is a 400; whether a list of nothing has a page 0 is left open.
	emptyPage: oneOf(
		['list', '400'],
		'list',
		'What page 0 of a list with nothing in it is: an empty list, or a page that does not exist',
	),
	// 4.3: "Success status code of GET /jobs/:id: not shown".
	jobReadStatus: oneOf(['200', '202', '207'], '200', 'HTTP status of `GET /jobs/:id`'),
	// Recorded in three shapes (me.json).
	meShape: oneOf(
		['user', 'organization', 'userWithOrganization'],
		'user',
		'Answer of `/me`: a user related to the organization, the organization, or a user with the organization among the attributes',
	),
	// 2.1 is flat; several public clients expect it in `data`.
	jobShape: oneOf(['flat', 'wrapped'], 'flat', '`wrapped`: the job stands in `data`', 'wrapped'),
	// 2.1 has one set of names; a public client reads the other.
	jobCounters: oneOf(
		['specification', 'other'],
		'specification',
		'`other`: `total_tasks`, `total_processed_tasks`, `total_succeeded` and `total_failed`',
		'other',
	),
	// 2.1 has three states; a public client takes this one for final.
	jobStatus: oneOf(
		['specification', 'completed'],
		'specification',
		'`completed`: every job that has ended has this status, whatever its outcome',
		'completed',
	),
	// 4.3: the payload of this operation is not shown.
	registrationAnswer: oneOf(
		['wrapped', 'record'],
		'wrapped',
		'Body of the answer to a single registration: the person in `data`, or alone',
	),
	// 4.3: the payload of this operation is not shown, nor its status.
	registrationStatus: oneOf(
		['201', '200', '202', '204'],
		'201',
		'HTTP status of the answer to a single registration; a 204 has no body',
	),
	// 7 has no 409; the vendor's pages do, and an older public client saw 422.
	registeredStatus: oneOf(
		['409', '400', '422'],
		'409',
		'HTTP status of a single registration of somebody who is registered already',
	),
	// 2.6: the structure of the person in a task is not shown.
	personShape: oneOf(
		['attributes', 'flat'],
		'attributes',
		'Where the email stands in the person of a result or of a single registration: in `attributes`, or beside the id',
	),
	// Recorded (publicEventRegistration.json).
	publicEvent: onOff(
		false,
		'Forms have no field `email`, and each registration makes a new person with an email that the platform makes up, whatever was sent',
	),
	// 7 leaves errors of a request open; a public client expects the whole request to be refused.
	unknownField: oneOf(
		['task', 'request'],
		'task',
		'What fails if a bulk request has a field that the form does not have: its task, or the whole request with 422',
		'request',
	),
	// 7 has one code; public clients know other words and codes for the same.
	errorWords: oneOf(
		['specification', 'other'],
		'specification',
		'`other`: other texts and codes for people who are already registered, and 422 instead of 409 for a single registration',
		'other',
	),
	// 7: "Not shown: the error body envelope for request-level errors".
	errorShape: oneOf(
		['errors', 'message', 'error', 'text', 'empty'],
		'errors',
		'Body of a refused request: `{"errors": […]}`, `{"code", "message"}`, `{"error"}`, a text, or nothing',
	),
	// Recorded (unauthorized.json): `status` holds a word. A public client reads the HTTP status from `code`.
	errorFields: oneOf(
		['straight', 'swapped'],
		'straight',
		'`swapped`: `code` of an error has the HTTP status, and `status` has the word for it',
		'swapped',
	),
	// Public clients met an empty 403.
	missingScope: oneOf(
		['told', 'empty'],
		'told',
		'Body of the 403 for a token without the scope',
		'empty',
	),
	// Recorded (reference2025.json, eventWithSession.json, session.json).
	nulls: onOff(
		false,
		'Records as only some clients have seen them: null for `required` of every question and for `recording_public`, sessions without the member `name` where they have none',
		true,
	),
	// No public page promises `registrant_detail.created_at`; recorded in registration.json.
	registrationDates: onOff(true, '`registrant_detail` says when somebody was registered'),
	// Public clients saw the update applied and the answer missing, or a 502.
	patchAnswer: oneOf(
		['record', 'stale', '502', 'never'],
		'record',
		'Answer to an update of a person in a session. The update is always made. `stale`: the record as it was before',
		'502',
	),
	// 4.2 has numbered pages: others register and unregister while they are read.
	listChanges: oneOf(
		['none', 'inserted', 'deleted', 'both'],
		'none',
		'What happens to the people of a session between two pages: somebody is added, or the first person is removed',
		'inserted',
	),
	// 5.2: "Not shown: … refresh token lifetime or rotation"; public clients met both.
	rotateRefresh: onOff(false, 'A refresh returns a new refresh token and ends the old one', true),
	// 5.2: the error responses of the OAuth endpoints are not shown.
	refreshRefusal: oneOf(
		['invalid_grant', 'invalid_request', '403', 'html'],
		'invalid_grant',
		'How the token endpoint refuses an invalid code or refresh token',
		'invalid_request',
	),
	// 6 does not show the payload; a public client reads `data.meta`, and the vendor's own app shows none.
	deliveryMeta: onOff(
		true,
		'Deliveries name their event in `data.meta.webhook`, except those of job.ended',
	),
	// 6: delivery rules are not shown; the vendor's pages say that a subscription is disabled after failures.
	droppedDeliveries: decimal(0, share, 'Share of the deliveries that are never sent', 0.1),
	// 6: retry rules are not shown; the vendor's pages repeat a delivery that was refused, without an id.
	doubledDeliveries: decimal(0, share, 'Share of the deliveries that are sent twice', 0.2),
	// 6: delivery rules are not shown.
	lateDeliveries: decimal(
		0,
		share,
		'Share of the deliveries that are sent late, after others that happened later',
		0.2,
	),
	// Of the late ones above.
	lateMs: whole(1_000, [0, dayMs], 'Delay of late deliveries'),
};
