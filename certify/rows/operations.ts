import { isObject } from '../../nodes/EventPlatform/core/values/json';
import { operations, type Promised } from '../contract';
import { differences } from '../schema';
import {
	responseTo,
	differs,
	holds,
	NotSeen,
	successOf,
	judgeDifferences,
	type Need,
	type Row,
	type Verdict,
} from '../row';
import { typeOf, type SeenResponse, type Seen } from '../seen';
import type { Use } from '../uses';
import { fieldName, joined, kindOf, mediaType, words, type Words } from '../words';

/** What a run has to do to see an operation that the connector uses, and the parts of the connector that rely on it. */
const used: Readonly<Record<string, readonly [Need, ...Use[]]>> = {
	ping: ['read', 'token'],
	getMe: ['read', 'account'],
	getOrganization: ['read', 'account'],
	listEvents: ['read', 'search', 'polling'],
	getEvent: ['read', 'form'],
	listEventPeople: ['read', 'paging'],
	listEventSessions: ['read', 'search'],
	listSessions: ['read', 'search', 'polling'],
	getSession: ['read', 'form'],
	listSessionPeople: ['read', 'who', 'polling'],
	getSessionPerson: ['read', 'update'],
	listQuestions: ['read', 'content'],
	listRecordings: ['read', 'recordings', 'content'],
	listChatMessages: ['read', 'content'],
	listPeople: ['read', 'search'],
	getPerson: ['read', 'records'],
	listPeopleAttributes: ['read', 'form'],
	listUsers: ['read', 'team'],
	listWebhooks: ['read', 'subscriptions'],
	createEvent: ['write', 'manage'],
	updateEvent: ['write', 'manage'],
	deleteEvent: ['write', 'manage'],
	addEventTag: ['write', 'manage'],
	removeEventTag: ['write', 'manage'],
	createSession: ['write', 'manage'],
	updateSession: ['write', 'manage'],
	deleteSession: ['write', 'manage'],
	registerPerson: ['write', 'single'],
	unregisterByEmail: ['write', 'unregister'],
	registerInBulk: ['write', 'submit'],
	updateSessionPerson: ['write', 'update'],
	deleteSessionPerson: ['write', 'unregister'],
	getJob: ['write', 'jobs'],
	listJobTasks: ['write', 'results'],
	createWebhook: ['write', 'subscriptions'],
	deleteWebhook: ['write', 'subscriptions'],
	createUser: ['write', 'team'],
	deleteUser: ['write', 'team'],
};

/** Statuses, media types and envelopes, as the contract has them. */
export const operationRows: readonly Row[] = operations.flatMap((operation) => {
	const [needs, ...reliesOn] = used[operation.id] ?? [];
	if (needs === undefined) return [];
	const { id, method, path, section, status, pointer, mediaTypes, schema } = operation;
	const common = {
		needs,
		reliesOn,
		evidence: [pointer],
		...(section !== undefined && { section }),
	};
	const rows: Row[] = [
		{
			...common,
			id: `${id}.status`,
			says: `${method} ${path} answers ${status}`,
			check: (seen) => judgeStatusOf(operation, seen),
		},
		{
			...common,
			id: `${id}.body`,
			says:
				schema === undefined
					? `${method} ${path} sends no body`
					: `${method} ${path} sends ${schema}`,
			check: (seen) => judgeEnvelope(operation, seen),
		},
	];
	if (schema !== undefined) {
		rows.push({
			...common,
			id: `${id}.media`,
			says: `${method} ${path} sends ${mediaTypes.join(' or ')}`,
			check(seen) {
				const came = typeOf(successOfPlain(operation, seen));
				return mediaTypes.includes(came)
					? holds
					: differs(joined(mediaTypes.map(mediaType)), mediaType(came));
			},
		});
	}
	return rows;
});

/** The name of the first request that shows what an operation promises. */
function nameOfPlain({ id }: Promised, seen: Seen): string {
	const name = seen.plainOf(id);
	if (name === undefined)
		throw new NotSeen(seen.why(id) ?? seen.why('everything') ?? words`not asked`);
	return name;
}

function judgeStatusOf(operation: Promised, seen: Seen): Verdict {
	const { status } = responseTo(seen, nameOfPlain(operation, seen));
	if (operation.id !== 'ping' && (status === 401 || status === 403)) {
		throw new NotSeen(words`the token may not (${status})`);
	}
	// Another row already says that the other form of the token is the right one.
	if (status === operation.status || (operation.id === 'ping' && status === 401)) return holds;
	// The oddities of a change, and of the pages of tasks, have rows of their own.
	if (hasOwnRow.has(operation.id) && status >= 500)
		throw new NotSeen(words`a row of its own is about that`);
	return differs(words`${operation.status}`, words`${status}`);
}

const hasOwnRow = new Set(['updateSessionPerson']);

function successOfPlain(operation: Promised, seen: Seen): SeenResponse {
	return successOf(seen, nameOfPlain(operation, seen));
}

/** The outermost parts of the body; what is in records and in meta has rows of its own. */
function judgeEnvelope(operation: Promised, seen: Seen): Verdict {
	const { body } = successOfPlain(operation, seen);
	const { schema } = operation;
	if (schema === undefined) {
		return body === '' ? holds : differs(words`no body`, kindOf(body));
	}
	// Whether a job is flat is the matter of a row about jobs.
	if (schema === 'JobAnswer')
		return isObject(body) ? holds : differs(words`an object`, kindOf(body));
	const outside = isObject(body) ? withoutInside(body) : body;
	const deviations = differences(schema, outside).filter(({ came }) => isOutside(came));
	const isList = schema.endsWith('List');
	const data = isObject(body) ? body['data'] : undefined;
	if (deviations.length === 0 && isList && !Array.isArray(data)) {
		return differs(words`${fieldName('data')}: a list`, kindOf(data));
	}
	return judgeDifferences(deviations);
}

function withoutInside(body: Record<string, unknown>): Record<string, unknown> {
	const { data, ...rest } = body;
	return { ...rest, ...('data' in body && { data: Array.isArray(data) ? [] : data }) };
}

function isOutside(came: Words): boolean {
	return !came.includes('.') && !came.includes('[]');
}
