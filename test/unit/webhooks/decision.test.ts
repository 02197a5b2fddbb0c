import {
	askForAttention,
	callForged,
	ignore,
	ignoreUnproven,
	retryLater,
	statusOf,
	lookupResultOf,
	type DeliveryDecision,
} from '../../../nodes/EventPlatform/core/webhooks/decision';
import type { LookupResult } from '../../../nodes/EventPlatform/core/webhooks/lookupBudget';

const started: DeliveryDecision = {
	kind: 'start',
	items: [],
	eventType: 'job.ended',
	keys: [],
	arrivedAtMs: 0,
};
const unreadable: DeliveryDecision = { kind: 'unreadable', reason: '' };

test.each<[string, DeliveryDecision, number, LookupResult]>([
	['starts a run', started, 200, 'genuine'],
	['starts none', ignore(''), 200, 'genuine'],
	['starts none and proves nothing', ignoreUnproven(''), 200, 'forged'],
	['needs a person', askForAttention(''), 200, 'genuine'],
	['is to come again', retryLater(''), 503, 'unclear'],
	['is forged', callForged(''), 401, 'forged'],
	['is no JSON', unreadable, 400, 'forged'],
])('a delivery that %s is answered and counted as such', (_, decision, status, worth) => {
	expect([statusOf(decision), lookupResultOf(decision)]).toEqual([status, worth]);
});
