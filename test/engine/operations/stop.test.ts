import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { sandboxForTests } from '../../support/platform/sandbox';
import { bulkRegister, numberedPeople } from '../../support/runs/bulkScene';
import { eventually } from '../../support/time/eventually';

test('Stop ends a run at once, and the log has the counts and why it ended', async () => {
	const logged: string[] = [];
	jest
		.spyOn(Container.get(Logger), 'info')
		.mockImplementation((message) => void logged.push(message));
	const slow = await sandboxForTests({ rate: 5 });
	const hasSent = async () => (await slow.requests()).some(({ method }) => method === 'POST');
	const cancel = eventually(hasSent);
	await bulkRegister(slow, numberedPeople(2_000), { cancel });
	// n8n does not wait for a node that it has stopped.
	const last = () => logged.find((line) => line.includes('ended early'));
	await eventually(() => last() !== undefined);
	// Those that were under way; all of them would be forty for the jobs alone.
	expect((await slow.requests()).length).toBeLessThan(20);
	expect(last()).toMatch(
		/^Bulk registration: .*\d+ failed.*\. The run ended early\. The run was cancelled\.$/,
	);
});
