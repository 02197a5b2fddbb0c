import type { IWebhookFunctions } from 'n8n-workflow';
import {
	askForAttention,
	callForged,
	ignore,
	retryLater,
} from '../../../nodes/EventPlatform/core/webhooks/decision';
import { logDelivery } from '../../../nodes/EventPlatform/triggers/deliveryLog';

let created = 0;
let nowMs = 0;

beforeEach(() => {
	nowMs = 1_800_000_000_000;
	jest.spyOn(Date, 'now').mockImplementation(() => nowMs);
});

/** A trigger that nothing was logged of yet, and what it logs. */
function triggerWithLog(mode = 'webhook', workflow = `workflow-${++created}`) {
	const lines: string[] = [];
	const context = {
		getWorkflow: () => ({ id: workflow }),
		getNode: () => ({ id: 'trigger', name: 'Trigger' }),
		getMode: () => mode,
		logger: {
			warn: (text: string) => lines.push(`warn: ${text}`),
			debug: (text: string) => lines.push(`debug: ${text}`),
		},
	} as unknown as IWebhookFunctions;
	return { context, lines, workflow };
}

test.each([
	['debug', '200', ignore('It was received before')],
	['debug', '401', callForged('The signature is not valid')],
	['warn', '503', retryLater('The platform is slow')],
])('a delivery is logged as %s with its status %s', (level, status, decision) => {
	const { context, lines } = triggerWithLog();
	logDelivery(context, decision);
	const text = `Event Platform Trigger answered a delivery with ${status}: ${decision.reason}`;
	expect(lines).toEqual([`${level}: ${text}`]);
});

test('a flood of forgeries is one line a minute, which says how many came', () => {
	const { context, lines } = triggerWithLog();
	for (let n = 0; n < 1_000; n++) logDelivery(context, callForged('forged'));
	nowMs += 59_999;
	logDelivery(context, callForged('forged'));
	expect(lines).toHaveLength(1);
	nowMs += 1;
	logDelivery(context, callForged('forged'));
	logDelivery(context, callForged('forged'));
	expect(lines).toHaveLength(2);
	expect(lines[1]).toContain('forged (and 1000 others since the last such line)');
});

test('a flood of forgeries hides no delivery with another status', () => {
	const { context, lines } = triggerWithLog();
	for (let n = 0; n < 3; n++) logDelivery(context, callForged('forged'));
	logDelivery(context, retryLater('later'));
	expect(lines).toHaveLength(2);
});

test('a clock that was set back does not end the log', () => {
	const { context, lines } = triggerWithLog();
	logDelivery(context, callForged('forged'));
	nowMs -= 3_600_000;
	logDelivery(context, callForged('forged'));
	expect(lines).toHaveLength(2);
});

test('what a person has to change is said once, however often and late it comes', () => {
	const { context, lines, workflow } = triggerWithLog();
	const text = `warn: A delivery to "Trigger" of workflow ${workflow} started no run. Choose an event.`;
	for (let n = 0; n < 3; n++) {
		logDelivery(context, askForAttention('Choose an event'));
		nowMs += 3_600_000;
	}
	expect(lines).toEqual([text]);
	logDelivery(context, askForAttention('Correct the URL'));
	expect(lines).toHaveLength(2);
});

test('the members of a delivery that nobody can read are named once, however they vary', () => {
	const { context, lines, workflow } = triggerWithLog();
	for (const members of ['id, data', 'id, event'])
		logDelivery(context, { ...askForAttention('It cannot be read'), members });
	expect(lines).toEqual([
		`warn: A delivery to "Trigger" of workflow ${workflow} started no run. It cannot be read. Its members: id, data.`,
	]);
});

test('what a test in the editor logs does not silence the trigger in use', () => {
	const test = triggerWithLog('manual');
	const inUse = triggerWithLog('webhook', test.workflow);
	for (const { context } of [test, inUse]) logDelivery(context, askForAttention('Choose one'));
	expect([test.lines.length, inUse.lines.length]).toEqual([1, 1]);
});
