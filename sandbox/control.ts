import type { FastifyInstance } from 'fastify';
import { shape } from './check';
import { readDeliveries } from './contract';
import { type SessionChange, askQuestion, changeSession, watchReplay } from './live';
import type { Platform } from './platform';
import { type Subscription, subscribe } from './records/webhooks';
import { Refusal } from './refusal';
import { overview } from './state';
import { type Workspace, workspaceNames } from './store/workspace';

const isWorkspace = shape<Partial<Workspace>>({
	type: 'object',
	additionalProperties: false,
	minProperties: 1,
	properties: Object.fromEntries(workspaceNames.map((name) => [name, { type: 'boolean' }])),
});

const isQuestion = shape<{ question: string }>({
	type: 'object',
	required: ['question'],
	additionalProperties: false,
	properties: { question: { type: 'string', minLength: 1 } },
});

const isSubscription = shape<Subscription>({
	type: 'object',
	required: ['url', 'event'],
	additionalProperties: false,
	properties: { url: { type: 'string' }, event: { enum: [...readDeliveries().keys()] } },
});

/** The switches of the sandbox itself, for tests and demos: no part of the API. */
export function addControlRoutes(app: FastifyInstance, platform: Platform): void {
	const { workspace } = platform;

	app.get('/_sandbox/state', () => overview(platform));

	app.post('/_sandbox/reset', (_request, reply) => {
		platform.reset();
		return reply.code(204).send();
	});

	app.post('/_sandbox/workspace', ({ body }) => {
		if (!isWorkspace(body)) {
			throw new Refusal(400, `Send {"blocked": true}. It takes ${workspaceNames.join(', ')}.`);
		}
		return Object.assign(workspace, body);
	});

	app.post('/_sandbox/subscriptions', ({ body }, reply) => {
		if (!isSubscription(body)) {
			throw new Refusal(400, 'Send {"url": "https://…", "event": "job.ended"}.');
		}
		return reply.code(201).send({ data: subscribe(platform, body) });
	});

	for (const change of ['start', 'end', 'cancel', 'reopen'] satisfies SessionChange[]) {
		app.post<{ Params: { id: string } }>(`/_sandbox/sessions/:id/${change}`, ({ params }) => ({
			data: changeSession(platform, params.id, change),
		}));
	}

	app.post<{ Params: { id: string } }>('/_sandbox/sessions/:id/ask', ({ params, body }) => {
		if (!isQuestion(body)) throw new Refusal(400, 'Send {"question": "Will there be a replay?"}.');
		return { data: askQuestion(platform, params.id, body.question) };
	});

	app.post<{ Params: { id: string; personId: string } }>(
		'/_sandbox/sessions/:id/people/:personId/watch_replay',
		({ params }) => ({ data: watchReplay(platform, params.id, params.personId) }),
	);
}
