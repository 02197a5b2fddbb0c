import type { INodeExecutionData } from 'n8n-workflow';
import { clock } from '../n8n/clock';
import type { Delivery } from '../core/deliveries/delivery';
import { readOutput } from '../core/deliveries/output';
import type { Api } from '../core/http/ports';

/** What an event starts its run with when it was looked for, and not delivered. */
export async function itemsOf(event: Delivery, api: Api): Promise<INodeExecutionData[]> {
	const { records } = await readOutput(event, {
		at: Date.now(),
		output: 'job',
		connect: () => Promise.resolve(api),
		deadline: clock.now(),
	});
	return records.map((json) => ({ json }));
}
