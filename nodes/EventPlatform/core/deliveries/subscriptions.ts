import { parseUrl } from '../http/baseUrl';
import { asFailure, Failure } from '../http/failure';
import { isObject } from '../http/json';
import { readRecord } from '../http/jsonApi';
import { listRecords } from '../http/paginate';
import type { Api, ApiRequest, JsonObject } from '../http/ports';
import { pathTo } from '../http/path';
import { text, withoutLastSlashes } from '../http/text';

/** The platform's subscriptions of one trigger, by kind. Each is for one kind of event. */
export type Subscriptions = Record<string, string>;

/**
 * Finds what is subscribed for this URL already, and removes what should not be: kinds that are no
 * longer wanted, second ones of the same kind, and those that the platform has disabled.
 */
export async function reconcile(
	api: Api,
	url: string,
	kinds: readonly string[],
): Promise<Subscriptions> {
	const kept = new Map<string, string>();
	const surplus: string[] = [];
	for (const record of await listRecords(api, '/webhooks')) {
		const { id, ...found } = readSubscription(record);
		const isOurs = sameUrl(found.url, url);
		const isWanted = kinds.includes(found.event) && !kept.has(found.event) && !found.isDisabled;
		if (isOurs && isWanted) kept.set(found.event, id);
		else if (isOurs) surplus.push(id);
	}
	await unsubscribe(api, surplus);
	return Object.fromEntries(kept);
}

/** One subscription; its id. */
export async function subscribe(api: Api, url: string, event: string): Promise<string> {
	const body = { data: { type: 'webhooks', attributes: { url, event } } };
	const request: ApiRequest = { method: 'POST', path: '/webhooks', body };
	return readSubscription(readRecord(request, await api(request))).id;
}

/** Removes all that can be removed, then tells what could not. One that is gone already is fine. */
export async function unsubscribe(api: Api, ids: readonly string[]): Promise<void> {
	const failures: Failure[] = [];
	for (const id of ids) {
		const path = pathTo`/webhooks/${id}`;
		const answer = await api({ method: 'DELETE', path, repeatable: true }).catch(asFailure);
		if (answer instanceof Failure && answer.reason !== 'not_found') failures.push(answer);
	}
	const [first] = failures;
	if (first) throw first;
}

function readSubscription({ id, attributes }: JsonObject) {
	const { url, event, ...rest } = isObject(attributes) ? attributes : {};
	return { id: text(id), url: text(url), event: text(event), isDisabled: isDisabled(rest) };
}

function sameUrl(one: string, other: string): boolean {
	return normal(one) === normal(other);
}

/** The platform may write the host or a closing slash differently. */
function normal(url: string): string {
	return withoutLastSlashes(parseUrl(url)?.href ?? url);
}

/** After the last failed attempt of a delivery the platform stops using a subscription. */
function isDisabled({ disabled, disabled_at, enabled, active, status }: JsonObject): boolean {
	const isMarked = disabled === true || status === 'disabled' || Boolean(disabled_at);
	return isMarked || enabled === false || active === false;
}
