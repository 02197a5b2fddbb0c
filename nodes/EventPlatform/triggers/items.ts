import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { itemOf } from '../core/events/item';
import type { News } from '../core/polling/lists/pollLists';
import type { JsonObject } from '../core/values/json';
import { readView } from './parameters';

/* The items with which a trigger starts a run. */

export function runWith(items: JsonObject[]): INodeExecutionData[][] {
	return [items.map((item) => ({ json: item }))];
}

export function runOf(
	context: IPollFunctions,
	{ news, failures }: News,
): INodeExecutionData[][] | null {
	// n8n shows people what is thrown, but starts no run then. Beside news a failure can only be logged.
	const [failure] = failures;
	if (failure && news.length === 0) throw failure;
	if (failure) {
		context.logger.warn(
			`${context.getNode().name} could not read ${failures.length} lists and tries again later: ${failure.message}`,
		);
	}
	const view = readView(context);
	const items = news.map((event) => itemOf(event, Date.now(), view));
	return items.length === 0 ? null : runWith(items);
}
