import { startTestServer } from '../support/platform/testServer';

export interface ListedWebhook {
	id: string | number;
	url: string;
	event: string;
}

/**
 * A platform that has webhooks and nothing else, and whose list of them may not tell the truth. Their ids are the numbers 1, 2, 3 …, as
 * JSON numbers: those of others may be ours of before.
 */
export class WebhookList {
	webhooks: ListedWebhook[] = [];
	/** The requests that came, such as `DELETE 7`. */
	readonly requests: string[] = [];
	baseUrl = '';
	/** So many of the next lists come back empty. */
	emptyLists = 0;
	/** Whoever makes a webhook is not told its id. */
	namesNoId = false;
	private made = 0;

	static async start(): Promise<WebhookList> {
		const list = new WebhookList();
		const { baseUrl } = await startTestServer((response, { method = '', url = '' }, body) => {
			const id = /\/webhooks\/([^?]*)/.exec(url)?.[1];
			list.requests.push([method, id ?? []].flat().join(' '));
			const webhook = list.webhooks.find((listed) => String(listed.id) === id);
			response.setHeader('content-type', 'application/json');
			// A test may let its time pass.
			response.setHeader('date', new Date(Date.now()).toUTCString());
			if (method === 'POST') {
				const { data } = JSON.parse(body) as { data: { attributes: ListedWebhook } };
				const made = ++list.made;
				list.webhooks.push({ ...data.attributes, id: made });
				const record = list.namesNoId ? data : { id: made, type: 'webhooks' };
				response.writeHead(201).end(JSON.stringify({ data: record }));
			} else if (method === 'DELETE') {
				list.webhooks = list.webhooks.filter((listed) => listed !== webhook);
				response.writeHead(webhook ? 204 : 404).end();
			} else {
				response.end(JSON.stringify({ data: list.show() }));
			}
		});
		list.baseUrl = baseUrl;
		return list;
	}

	/** How often webhooks were made. */
	get posts(): number {
		return this.requests.filter((request) => request === 'POST').length;
	}

	private show() {
		if (this.emptyLists > 0) {
			this.emptyLists--;
			return [];
		}
		return this.webhooks.map(({ id, url, event }) => {
			return { id, type: 'webhooks', attributes: { url, event } };
		});
	}
}
