import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Platform } from '../platform';

/** Stored in place of a token, so that the database gives nobody access. */
export const hash = (secret: string): string =>
	createHash('sha256').update(secret).digest('base64url');

export const newSecret = (): string => randomBytes(32).toString('base64url');

/** The token response of section 2.5. */
export interface TokenResponse {
	access_token: string;
	token_type: 'Bearer';
	expires_in: number;
	refresh_token: string;
	scope: string;
	created_at: number;
}

interface AccessToken {
	grant_id: string;
	scope: string;
	expires_at: number;
	revoked: 0 | 1;
}

interface Issue {
	grantId: string;
	scope: string;
	/** Given: the refresh token that stays in force. */
	refreshToken?: string;
	ttlSeconds?: number;
}

const schema = `
	CREATE TABLE IF NOT EXISTS oauth_grants (
		id TEXT PRIMARY KEY, created_at INTEGER NOT NULL, revoked INTEGER NOT NULL DEFAULT 0
	);
	CREATE TABLE IF NOT EXISTS oauth_access_tokens (
		token TEXT PRIMARY KEY, grant_id TEXT NOT NULL, scope TEXT NOT NULL, expires_at INTEGER NOT NULL
	);
	CREATE TABLE IF NOT EXISTS oauth_refresh_tokens (
		token TEXT PRIMARY KEY, grant_id TEXT NOT NULL, scope TEXT NOT NULL,
		revoked INTEGER NOT NULL DEFAULT 0
	);`;

/** Grants and the tokens issued under them. A token is good as long as its grant is. */
export interface Tokens {
	/** Begins a grant, and gives its ID. */
	beginGrant(): string;
	/** Issues an access token under a grant, with a refresh token. */
	issue(issue: Issue): TokenResponse;
	findAccess(token: string): AccessToken | undefined;
	/** Makes an access token expire now. */
	expireAccess(token: string): void;
	/** Finds a refresh token that is in force. */
	findRefresh(token: string): Pick<AccessToken, 'grant_id' | 'scope'> | undefined;
	/** Spends a refresh token. False when somebody else spent it first. */
	spendRefresh(token: string): boolean;
	revokeGrant(id: string): void;
	/** Revokes every grant, and gives how many that were. */
	revokeAll(): number;
}

export function createTokens({ db, now, options }: Platform): Tokens {
	db.exec(schema);
	const addGrant = db.prepare('INSERT INTO oauth_grants (id, created_at) VALUES (?, ?)');
	const revokeOne = db.prepare('UPDATE oauth_grants SET revoked = 1 WHERE id = ?');
	const revokeEvery = db.prepare('UPDATE oauth_grants SET revoked = 1 WHERE revoked = 0');
	const addAccess = db.prepare('INSERT INTO oauth_access_tokens VALUES (?, ?, ?, ?)');
	const addRefresh = db.prepare(
		'INSERT INTO oauth_refresh_tokens (token, grant_id, scope) VALUES (?, ?, ?)',
	);
	const readAccess = db.prepare(`SELECT grant_id, scope, expires_at, revoked
		FROM oauth_access_tokens a JOIN oauth_grants g ON g.id = a.grant_id WHERE token = ?`);
	const readRefresh = db.prepare(`SELECT grant_id, scope
		FROM oauth_refresh_tokens r JOIN oauth_grants g ON g.id = r.grant_id
		WHERE token = ? AND r.revoked = 0 AND g.revoked = 0`);
	const spendRefresh = db.prepare(
		'UPDATE oauth_refresh_tokens SET revoked = 1 WHERE token = ? AND revoked = 0',
	);
	const expire = db.prepare(
		'UPDATE oauth_access_tokens SET expires_at = min(expires_at, ?) WHERE token = ?',
	);

	return {
		beginGrant() {
			const id = randomUUID();
			addGrant.run(id, now());
			return id;
		},

		issue({ grantId, scope, refreshToken, ttlSeconds = options.tokenTtl }) {
			const accessToken = newSecret();
			const issuedAt = now();
			addAccess.run(hash(accessToken), grantId, scope, issuedAt + ttlSeconds * 1000);
			const refresh = refreshToken ?? newSecret();
			if (!refreshToken) addRefresh.run(hash(refresh), grantId, scope);
			return {
				access_token: accessToken,
				token_type: 'Bearer',
				expires_in: ttlSeconds,
				refresh_token: refresh,
				scope,
				created_at: Math.floor(issuedAt / 1000),
			};
		},

		findAccess: (token) => readAccess.get(hash(token)) as AccessToken | undefined,
		expireAccess: (token) => void expire.run(now(), hash(token)),

		findRefresh: (token) =>
			readRefresh.get(hash(token)) as Pick<AccessToken, 'grant_id' | 'scope'> | undefined,
		spendRefresh: (token) => spendRefresh.run(hash(token)).changes === 1,

		revokeGrant: (id) => void revokeOne.run(id),
		revokeAll: () => Number(revokeEvery.run().changes),
	};
}
