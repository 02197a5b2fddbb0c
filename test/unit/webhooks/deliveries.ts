import { statusOf } from '../../../nodes/EventPlatform/core/webhooks/decision';
import { FactsMemory } from '../../../nodes/EventPlatform/core/webhooks/factsMemory';
import { DeliveryHistory } from '../../../nodes/EventPlatform/core/webhooks/history';
import { receive } from '../../../nodes/EventPlatform/core/webhooks/receive';
import type {
	DeliveryRequest,
	Trigger,
	TriggerSettings,
} from '../../../nodes/EventPlatform/core/webhooks/webhookTrigger';
import { noFilters } from '../../support/runs/filters';
import { fakePlatform, type FakeAnswers } from '../../support/platform/fakePlatform';

/** When everything arrives. */
export const now = Date.UTC(2026, 10, 21, 12);
export const key = 'the-key-of-this-trigger';

/** A trigger with its history, on a platform that gives these answers. */
export function receiver(more: Partial<TriggerSettings>, answers: FakeAnswers) {
	const settings: TriggerSettings = {
		eventTypes: ['job.ended', 'session.ended', 'people.odd'],
		verify: 'auto',
		ownKey: key,
		filters: noFilters,
		output: 'job',
		needsDeduplication: true,
		confirmationsPerMinute: 60,
		hasChecks: true,
		...more,
	};
	const { client, asked } = fakePlatform(answers);
	let minutes = 0;
	const history = new DeliveryHistory(() => now + minutes * 60_000);
	/** Lookups that have proved nothing. */
	const spent = () => provedNothing;
	let provedNothing = 0;
	for (const budget of [history.budget, history.keyedBudget]) {
		const lookUp = budget.lookUp.bind(budget);
		budget.lookUp = (perMinute, ask, resultOf = () => 'proven') =>
			lookUp(perMinute, ask, (answer) => {
				const result = resultOf(answer);
				if (result !== 'proven') provedNothing += 1;
				return result;
			});
	}
	const facts = new FactsMemory(() => now + minutes * 60_000);
	const clock = { now: () => now, sleep: () => Promise.resolve() };
	const connect = () => Promise.resolve({ client, apiRoot: '/v1', clock });
	const factsMemory = () => Promise.resolve(facts);
	/** Gives the results of a delivery for the platform and for n8n. */
	const deliver = async (
		delivered: unknown,
		request: Partial<DeliveryRequest> = {},
		changed: Partial<TriggerSettings> = {},
	) => {
		const text = typeof delivered === 'string' ? delivered : JSON.stringify(delivered);
		const body = new TextEncoder().encode(text);
		const trigger: Trigger = {
			settings: { ...settings, ...changed },
			history,
			connect,
			factsMemory,
		};
		const decision = await receive(
			{ body, signature: undefined, key: undefined, ...request },
			trigger,
		);
		const isStart = decision.kind === 'start';
		return {
			status: statusOf(decision),
			reason: isStart ? 'It starts a run' : decision.reason,
			items: isStart ? decision.items : [],
			needsAttention: isStart ? undefined : decision.needsAttention,
			members: isStart ? undefined : decision.members,
			settle: isStart ? (isCreated: boolean) => history.settle(decision, isCreated) : undefined,
		};
	};
	return { deliver, asked, history, spent, later: (more: number) => (minutes += more) };
}
