import type {
	AuthorizationCode,
	AuthorizationCodeModel,
	Client,
	User,
} from '@node-oauth/oauth2-server';
import type { Platform } from '../platform';
import { hash, type Tokens } from './tokens';

type NewCode = Parameters<AuthorizationCodeModel['saveAuthorizationCode']>[0];

interface CodeRow {
	grant_id: string;
	redirect_uri: string;
	scope: string;
	challenge: string | null;
	method: string | null;
	expires_at: number;
	used: 0 | 1;
}

/** The authorization codes that were given out. */
interface Codes {
	/** Keeps a new code for the account that agreed. */
	save(code: NewCode, user: User): AuthorizationCode;
	/** Gives undefined for a code that was never handed out, or is spent. */
	find(authorizationCode: string): AuthorizationCode | undefined;
	/** Gives false when the code was spent in the meantime. */
	spend(code: AuthorizationCode): boolean;
}

/** Authorization codes: each is good for one exchange, by the client and for the URL it was made for. */
export function createCodes({ db }: Platform, tokens: Tokens, client: Client): Codes {
	db.exec(`CREATE TABLE IF NOT EXISTS oauth_codes (
		code TEXT PRIMARY KEY, grant_id TEXT NOT NULL, redirect_uri TEXT NOT NULL, scope TEXT NOT NULL,
		challenge TEXT, method TEXT, expires_at INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0
	)`);
	const insert = db.prepare(`INSERT INTO oauth_codes
		(code, grant_id, redirect_uri, scope, challenge, method, expires_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`);
	const select = db.prepare('SELECT * FROM oauth_codes WHERE code = ?');
	const spend = db.prepare('UPDATE oauth_codes SET used = 1 WHERE code = ? AND used = 0');

	return {
		save(code, user) {
			insert.run(
				hash(code.authorizationCode),
				user['grantId'] as string,
				code.redirectUri,
				(code.scope ?? []).join(' '),
				code.codeChallenge ?? null,
				code.codeChallengeMethod ?? null,
				code.expiresAt.getTime(),
			);
			return { ...code, client, user };
		},

		find(authorizationCode) {
			const row = select.get(hash(authorizationCode)) as CodeRow | undefined;
			if (!row) return undefined;
			if (row.used) {
				// RFC 6749, 4.1.2: somebody else has the code too, so nothing it gave may stay in force.
				tokens.revokeGrant(row.grant_id);
				return undefined;
			}
			return {
				authorizationCode,
				expiresAt: new Date(row.expires_at),
				redirectUri: row.redirect_uri,
				scope: row.scope.split(' '),
				codeChallenge: row.challenge ?? undefined,
				codeChallengeMethod: row.method ?? undefined,
				client,
				user: { grantId: row.grant_id },
			};
		},

		spend({ authorizationCode, user }) {
			const first = spend.run(hash(authorizationCode)).changes === 1;
			if (!first) tokens.revokeGrant(user['grantId'] as string);
			return first;
		},
	};
}
