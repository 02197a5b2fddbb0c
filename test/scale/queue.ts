import { randomBytes } from 'node:crypto';
import type { Child } from '../../host/child';
import type { Editor } from '../../host/editor';
import { recipes } from '../../host/installation';
import { ready, startRole } from '../../host/n8n';
import { freePort } from '../../host/ports';
import { preparedN8n, startTestedN8n } from '../support/n8n/n8n';
import { ownServices } from './services';

export interface QueueN8n {
	/** The editor of the process that serves it, signed in. */
	editor: Editor;
	/** Where the webhook process listens. */
	webhookUrl: string;
	redirectUri: string;
	/** A worker that has at most so many executions at a time. */
	startWorker(concurrency?: number): Promise<Child>;
	close(): Promise<void>;
}

/** n8n in queue mode: one that serves the editor, workers that execute, one that receives webhooks. */
export async function startQueueN8n(): Promise<QueueN8n> {
	const installation = await preparedN8n(recipes.current);
	const services = await ownServices(installation);
	const port = await freePort();
	const webhookPort = await freePort();
	const webhookUrl = `http://127.0.0.1:${webhookPort}`;
	const environment = {
		...services.environment,
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64'),
		// So that subscriptions name the process that receives, not the one that serves the editor.
		WEBHOOK_URL: webhookUrl,
		N8N_EDITOR_BASE_URL: `http://localhost:${port}`,
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		DB_POSTGRESDB_POOL_SIZE: '12',
		// Hundreds of deliveries at once wait for these connections, and n8n's own ping of the database
		// waits among them: when it times out, n8n closes all of them.
		DB_POSTGRESDB_CONNECTION_TIMEOUT: '60000',
		DB_PING_TIMEOUT_MS: '60000',
	};
	const tested = await startTestedN8n({ environment, port });
	const { editor, redirectUri, userFolder } = tested;
	const running: Child[] = [];

	async function startAt(role: string, port: number, more: object = {}, ...words: string[]) {
		const settings = { userFolder, port, environment: { ...environment, ...more } };
		const child = await startRole(installation, role, settings, ...words);
		running.unshift(child);
		await ready(child, `http://127.0.0.1:${port}/healthz/readiness`);
		return child;
	}
	await startAt('webhook', webhookPort);

	return {
		editor,
		webhookUrl,
		redirectUri,
		async startWorker(concurrency = 10) {
			const healthPort = await freePort();
			const health = {
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(healthPort),
				N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			};
			return startAt('worker', healthPort, health, `--concurrency=${concurrency}`);
		},
		async close() {
			await Promise.all(running.map((child) => child.stop()));
			await tested.close();
			await services.remove();
		},
	};
}
