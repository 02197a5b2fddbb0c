import { parseUrl, withoutLastSlashes } from '../http/baseUrl';
import { asFailure, Failure } from '../http/failure';
import { attributesOf, listRecords, readRecord } from '../http/jsonApi';
import { text, type JsonObject } from '../http/json';
import { pathTo, type Api, type ApiRequest, type Ask } from '../http/ports';
import { withKey } from './proof';

/** How the subscriptions of one trigger are told from all others of the workspace. */
export interface Ours {
	/** Where deliveries go, without the key. */
	url: string;
	/** Absent where the credential has no secret to make one of. */
	key?: string;
	/** The ids of those that this workflow made, as far as that was stored. */
	made: ReadonlySet<string>;
	/** Whether these were made with this very key. */
	madeWithKey: boolean;
}

/** Ours is what has our key or what we made: the address alone is also that of a copy, or was entered by hand. */
export async function findOurs(api: Ask, ours: Ours, kinds: readonly string[]) {
	/** In use, by kind: each is for one. */
	const kept: Record<string, string> = {};
	/** Disabled by the platform, second ones, or of kinds that are no longer wanted: nothing is lost with them. */
	const useless: string[] = [];
	/** Of another address or key, where events still arrive: they go when there are new ones in their place. */
	const outdated: string[] = [];
	for (const record of await listRecords(api, '/webhooks')) {
		const attributes = attributesOf(record);
		const [id, event] = [text(record.id), text(attributes.event)];
		const url = normal(text(attributes.url));
		const hasOurKey = ours.key !== undefined && url === normal(withKey(ours));
		if (!ours.made.has(id) && !hasOurKey) continue;
		// Made with our key and without it now: a platform that drops the query.
		const isCurrent = hasOurKey || (ours.madeWithKey && url === normal(ours.url));
		const isWanted =
			kinds.includes(event) && !Object.hasOwn(kept, event) && !isDisabled(attributes);
		if (!isCurrent) outdated.push(id);
		else if (isWanted) kept[event] = id;
		else useless.push(id);
	}
	return { kept, useless, outdated };
}

export async function subscribe(api: Api, ours: Ours, event: string): Promise<string> {
	const body = { data: { type: 'webhooks', attributes: { url: withKey(ours), event } } };
	const request: ApiRequest = { method: 'POST', path: '/webhooks', body, secret: ours.key };
	return text(readRecord(request, await api(request)).id);
}

/** Removes all that can be removed, then tells what could not. One that is gone already is fine. */
export async function unsubscribe(api: Api, ids: Iterable<string>): Promise<void> {
	let failure: Failure | undefined;
	for (const id of ids) {
		const path = pathTo`/webhooks/${id}`;
		const answer = await api({ method: 'DELETE', path, repeatable: true }).catch(asFailure);
		if (answer instanceof Failure && answer.reason !== 'not_found') failure ??= answer;
	}
	if (failure) throw failure;
}

/** The platform may write the host or a closing slash differently. */
function normal(text: string): string {
	const url = parseUrl(text);
	if (url === undefined) return text;
	url.pathname = withoutLastSlashes(url.pathname);
	return url.href;
}

/** After the last failed attempt of a delivery the platform stops using a subscription. */
function isDisabled({ disabled, disabled_at, enabled, active, status }: JsonObject): boolean {
	const isMarked = disabled === true || status === 'disabled' || Boolean(disabled_at);
	return isMarked || enabled === false || active === false;
}
