export interface SandboxOptions {
	host: string;
	port: number;
	/** Requests per second and token; 0 = unlimited. */
	rate: number;
	/** Requests per 30 days and token; 0 = unlimited. */
	monthly: number;
	taskMs: number;
	jobMs: number;
	earlyResults: 'partial' | 'empty' | '404';
	tasksPaging: 'spec' | 'broken';
	jobShape: 'flat' | 'wrapped';
	latencyMs: number;
	tokenTtl: number;
	rotateRefresh: boolean;
	redirectUri: string;
	scope: string;
	oauthParams: 'any' | 'query' | 'form';
	webhookSecret: string;
	/** Multiplies the published retry delays; 1 in life, small in tests. */
	webhookRetryFactor: number;
	/** A file that keeps the state across restarts; empty: in memory. */
	data: string;
	seedPeople: number;
	seedEvents: number;
	allowHttpWebhooks: boolean;
}

export const defaultOptions: SandboxOptions = {
	host: '127.0.0.1',
	port: 4010,
	rate: 5,
	monthly: 10_000,
	taskMs: 20,
	jobMs: 0,
	earlyResults: 'partial',
	tasksPaging: 'spec',
	jobShape: 'flat',
	latencyMs: 0,
	tokenTtl: 7200,
	rotateRefresh: false,
	redirectUri: 'http://localhost:5678/rest/oauth2-credential/callback',
	scope: 'events:write webhooks:write',
	oauthParams: 'any',
	webhookSecret: '',
	webhookRetryFactor: 1,
	data: '',
	seedPeople: 0,
	seedEvents: 3,
	allowHttpWebhooks: true,
};
