import { isObject, type JsonObject } from '../../nodes/EventPlatform/core/values/json';
import { differences } from '../schema';
import {
	differs,
	holds,
	NotSeen,
	judgeDifferences,
	judgeStatus,
	responseTo,
	type Row,
	type Verdict,
} from '../row';
import { typeOf, type SeenResponse, type Seen } from '../seen';
import { mediaType, words } from '../words';

const common = { section: '7', needs: 'read', reliesOn: ['errors'] } as const;
const errorsNode = ['components', 'schemas', 'Errors'];

/** These rows check what a refusal says, and where. */
export const errorRows: readonly Row[] = [
	{
		...common,
		id: 'errors.unknown',
		says: 'A record that does not exist is a 404',
		evidence: [['components', 'responses', 'NotFound']],
		check: (seen) => judgeUnknown(seen, 'unknown event'),
	},
	{
		...common,
		id: 'errors.unknown-job',
		says: 'A job that does not exist is a 404',
		reliesOn: ['jobs'],
		check: (seen) => judgeUnknown(seen, 'unknown job'),
	},
	{
		...common,
		id: 'errors.shape',
		says: 'A refusal has errors, each with title, detail, code and status, all of them texts',
		evidence: [errorsNode],
		check: (seen) =>
			judgeDifferences(refusals(seen).flatMap(({ body }) => differences('Errors', body))),
	},
	{
		...common,
		id: 'errors.fields',
		says: 'In an error, status is the status of HTTP, or unauthorized of a 401, and code is a word for what is wrong',
		check(seen) {
			const errors = refusals(seen).flatMap(({ body, status }) =>
				isObject(body) && Array.isArray(body['errors'])
					? body['errors'].filter(isObject).map((error) => ({ error, status: String(status) }))
					: [],
			);
			const fullErrors = errors.filter(
				({ error }) => typeof error['status'] === 'string' && typeof error['code'] === 'string',
			);
			if (fullErrors.length === 0) throw new NotSeen(words`no error had both`);
			const swapped = fullErrors.filter(
				({ error, status }) => error['code'] === status && error['status'] !== status,
			);
			// The word was recorded in a 401 of an API token.
			const isKnownWord = (error: JsonObject, status: string) =>
				status === '401' && error['status'] === 'unauthorized';
			const wrongErrors = fullErrors.filter(
				({ error, status }) => error['status'] !== status && !isKnownWord(error, status),
			);
			if (wrongErrors.length === 0) return holds;
			return swapped.length > 0
				? differs(words`the status in status`, words`the status in code`, {
						errorFields: 'swapped',
					})
				: differs(words`the status in status`, words`another text in status`);
		},
	},
	{
		...common,
		id: 'errors.media',
		says: 'A refusal is JSON',
		check(seen) {
			const refusal = refusals(seen).find((exchange) => !/\bjson\b/.test(typeOf(exchange)));
			return refusal ? differs(words`JSON`, mediaType(typeOf(refusal))) : holds;
		},
	},
];

function judgeUnknown(seen: Seen, name: string): Verdict {
	const { status } = responseTo(seen, name);
	if (status === 401 || status === 403) throw new NotSeen(words`the token may not (${status})`);
	return judgeStatus(seen, name, 404);
}

/** Gives the refusals that have a body. A missing scope may be told without one. */
function refusals(seen: Seen): SeenResponse[] {
	const exchanges = seen
		.all()
		.filter(({ status, body }) => status >= 400 && status < 500 && body !== '');
	if (exchanges.length === 0) throw new NotSeen(words`nothing was refused with a body`);
	return exchanges;
}
