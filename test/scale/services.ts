import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Installation } from '../../host/installation';

/** The PostgreSQL and Redis that n8n works with in queue mode. */
const postgresUrl =
	process.env.EVENT_PLATFORM_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const redisUrl = process.env.EVENT_PLATFORM_REDIS_URL ?? 'redis://127.0.0.1:6379/0';

/** A database and a key prefix of our own, on the services of this machine. */
export async function ownServices(installation: Installation) {
	const name = `event_platform_${randomBytes(4).toString('hex')}`;
	await inPostgres(installation, `CREATE DATABASE ${name}`);
	await inRedis(installation, async (redis) => void (await redis.ping()));
	const postgres = new URL(postgresUrl);
	const redis = new URL(redisUrl);
	return {
		/** The variables with which n8n uses them. */
		environment: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: postgres.hostname,
			DB_POSTGRESDB_PORT: postgres.port || '5432',
			DB_POSTGRESDB_USER: decodeURIComponent(postgres.username),
			DB_POSTGRESDB_PASSWORD: decodeURIComponent(postgres.password),
			DB_POSTGRESDB_DATABASE: name,
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: redis.hostname,
			QUEUE_BULL_REDIS_PORT: redis.port || '6379',
			QUEUE_BULL_REDIS_DB: redis.pathname.slice(1) || '0',
			...(redis.password && { QUEUE_BULL_REDIS_PASSWORD: decodeURIComponent(redis.password) }),
			QUEUE_BULL_PREFIX: name,
			N8N_REDIS_KEY_PREFIX: name,
			N8N_CACHE_REDIS_KEY_PREFIX: name,
		},
		/** Removes the database and the keys. */
		async remove() {
			await inPostgres(installation, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
			await inRedis(installation, async (redis) => {
				const keys = await redis.keys(`*${name}*`);
				if (keys.length > 0) await redis.del(keys);
			});
		},
	};
}

interface PostgresClient {
	connect(): Promise<void>;
	query(sql: string): Promise<unknown>;
	end(): Promise<void>;
}

interface RedisClient {
	on(event: 'error', listener: () => void): void;
	connect(): Promise<void>;
	ping(): Promise<string>;
	keys(pattern: string): Promise<string[]>;
	del(keys: string[]): Promise<number>;
	disconnect(): void;
}

async function inPostgres(installation: Installation, sql: string) {
	// The client comes from n8n's own node_modules, because n8n uses the same clients.
	const { Client } = createRequire(installation.n8n)('pg') as {
		Client: new (options: { connectionString: string }) => PostgresClient;
	};
	const client = new Client({ connectionString: postgresUrl });
	await client.connect().catch((error: unknown) => missing('PostgreSQL', postgresUrl, error));
	await client.query(sql).finally(() => client.end());
}

async function inRedis(installation: Installation, work: (redis: RedisClient) => Promise<void>) {
	const { Redis } = createRequire(installation.n8n)('ioredis') as {
		Redis: new (url: string, options: object) => RedisClient;
	};
	const client = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null });
	client.on('error', () => undefined);
	await client.connect().catch((error: unknown) => missing('Redis', redisUrl, error));
	await work(client).finally(() => client.disconnect());
}

function missing(service: string, url: string, error: unknown): never {
	const { hostname, port } = new URL(url);
	throw new Error(
		`${service} does not answer at ${hostname}:${port} (${String(error)}). Start it, for example with ` +
			'"docker compose -f host/compose.yaml up -d", or name another address in ' +
			'EVENT_PLATFORM_POSTGRES_URL and EVENT_PLATFORM_REDIS_URL.',
	);
}
