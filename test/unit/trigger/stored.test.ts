import type { IHookFunctions } from 'n8n-workflow';
import { historyOf } from '../../../nodes/EventPlatform/trigger/settings';

const day = 86_400_000;

/** The trigger of a workflow, as far as what is known of it depends on n8n. */
const triggerOf = (workflow: string) =>
	({
		getWorkflow: () => ({ id: workflow }),
		getNode: () => ({ id: 'trigger' }),
		getMode: () => 'webhook',
		getWorkflowStaticData: () => ({ seen: 'storedkey' }),
	}) as unknown as IHookFunctions;

test('what the process knows of a trigger is forgotten when nobody uses it for longer than a month', () => {
	const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
	const [used, unused] = [historyOf(triggerOf('used')), historyOf(triggerOf('unused'))];
	clock.mockReturnValue(31 * day);
	expect(historyOf(triggerOf('used'))).toBe(used);
	clock.mockReturnValue(41 * day);
	expect(historyOf(triggerOf('used'))).toBe(used);
	expect(historyOf(triggerOf('unused'))).not.toBe(unused);
	clock.mockRestore();
});
