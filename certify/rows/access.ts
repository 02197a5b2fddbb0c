import { differs, holds, NotSeen, responseTo, type Row, type Verdict } from '../row';
import type { SeenResponse, Seen } from '../seen';
import { words } from '../words';

const common = { section: '5.1', needs: 'read', reliesOn: ['token'] } as const;

/** How a token is sent, and what is said to one that may not. */
export const accessRows: readonly Row[] = [
	{
		...common,
		id: 'access.form',
		says: 'An API token is sent as it is, an access token of OAuth2 after "Bearer"',
		check(seen) {
			const { status } = responseTo(seen, 'ping');
			if (status < 300) return holds;
			return differs(
				words`200 for the token in this form`,
				words`${status}, and 200 in the other form`,
			);
		},
	},
	{
		...common,
		id: 'access.other-form',
		says: 'A token in the form of the other kind is a 401',
		check: (seen) => judgeRefusal(seen, 'ping in the other form'),
	},
	{
		...common,
		section: '7',
		id: 'access.none',
		says: 'A request without a token is a 401',
		check: (seen) => judgeRefusal(seen, 'ping without a token'),
	},
	{
		...common,
		section: '7',
		id: 'access.scope',
		says: 'A token without the scope gets a 403',
		check(seen) {
			const turnedAway = seen.all().filter(lacksScope);
			if (turnedAway.length === 0) throw new NotSeen(words`the token may do all that was asked`);
			const exchange = turnedAway.find(({ status }) => status !== 403);
			return exchange ? differs(words`403`, words`${exchange.status}`) : holds;
		},
	},
	{
		...common,
		section: '7',
		id: 'access.scope-words',
		says: 'The 403 for a missing scope says so',
		check(seen) {
			const turnedAway = seen
				.all()
				.filter((exchange) => lacksScope(exchange) && exchange.status === 403);
			if (turnedAway.length === 0) throw new NotSeen(words`nothing was refused for its scope`);
			return turnedAway.every(({ body }) => body === '')
				? differs(words`a body that names the scope`, words`no body`, { missingScope: 'empty' })
				: holds;
		},
	},
];

function lacksScope({ isPlain, operation, status }: SeenResponse): boolean {
	return isPlain && operation !== 'ping' && (status === 401 || status === 403);
}

function judgeRefusal(seen: Seen, name: string): Verdict {
	// Where only the other form works, the first row says so.
	if (name === 'ping in the other form' && responseTo(seen, 'ping').status === 401) {
		throw new NotSeen(words`only this form is accepted`);
	}
	const { status } = responseTo(seen, name);
	return status === 401 ? holds : differs(words`401`, words`${status}`);
}
