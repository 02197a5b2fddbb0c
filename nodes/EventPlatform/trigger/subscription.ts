import { Failure } from '../transport/failure';
import { isObject } from '../transport/json';
import { readRecord } from '../transport/jsonApi';
import { listRecords } from '../transport/paginate';
import type { Api, ApiRequest, JsonObject } from '../transport/ports';
import { resource } from '../transport/resource';

/** The platform's subscriptions of one trigger, by kind. Each is for one kind of event. */
export type Subscriptions = Record<string, string>;

/**
 * Finds what is subscribed for this URL already, and removes what should not be: kinds that are no
 * longer wanted, second ones of the same kind, and those of a former URL.
 */
export async function reconcile(
	api: Api,
	url: string,
	kinds: readonly string[],
	formerIds: readonly string[] = [],
): Promise<Subscriptions> {
	const kept = new Map<string, string>();
	const surplus: string[] = [];
	for (const { id, attributes } of (await listRecords(api, '/webhooks')).map(readSubscription)) {
		const isOurs = sameUrl(attributes.url, url);
		const kind = String(attributes.event);
		const isWanted = kinds.includes(kind) && !kept.has(kind) && !isDisabled(attributes);
		if (isOurs && isWanted) kept.set(kind, id);
		else if (isOurs || formerIds.includes(id)) surplus.push(id);
	}
	await unsubscribe(api, surplus);
	return Object.fromEntries(kept);
}

/** Subscribes to all of them, or to none. */
export async function subscribe(
	api: Api,
	url: string,
	kinds: readonly string[],
): Promise<Subscriptions> {
	const made: Subscriptions = {};
	try {
		for (const kind of kinds) made[kind] = await subscribeTo(api, url, kind);
	} catch (error) {
		try {
			await unsubscribe(api, Object.values(made));
		} catch {
			// What stays is found by its URL next time; the first failure is the one that tells why.
		}
		throw error;
	}
	return made;
}

async function subscribeTo(api: Api, url: string, event: string): Promise<string> {
	const body = { data: { type: 'webhooks', attributes: { url, event } } };
	const request: ApiRequest = { method: 'POST', path: '/webhooks', body };
	return readSubscription(readRecord(request, await api(request))).id;
}

/** Removes all that can be removed, then tells what could not. One that is gone already is fine. */
export async function unsubscribe(api: Api, ids: readonly string[]): Promise<void> {
	const failures: unknown[] = [];
	for (const id of ids) {
		try {
			await api({ method: 'DELETE', path: resource`/webhooks/${id}`, repeatable: true });
		} catch (error) {
			if (!(error instanceof Failure && error.reason === 'not_found')) failures.push(error);
		}
	}
	if (failures.length > 0) throw failures[0];
}

function readSubscription(record: JsonObject): { id: string; attributes: JsonObject } {
	const attributes = isObject(record.attributes) ? record.attributes : {};
	return { id: String(record.id), attributes };
}

function sameUrl(one: unknown, other: string): boolean {
	return typeof one === 'string' && normal(one) === normal(other);
}

/** The platform may write the host or a closing slash differently. */
function normal(url: string): string {
	return URL.canParse(url) ? new URL(url).href.replace(/\/+$/, '') : url;
}

/** After the last failed attempt of a delivery the platform stops using a subscription. */
function isDisabled({ disabled, disabled_at, enabled, active, status }: JsonObject): boolean {
	const isMarked = disabled === true || status === 'disabled' || Boolean(disabled_at);
	return isMarked || enabled === false || active === false;
}
