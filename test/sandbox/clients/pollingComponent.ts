import axios, { type AxiosInstance } from 'axios';

interface Person {
	id: string;
	attributes: { email: string; registrant_detail: { updated_at: number } };
}

interface People {
	data: Person[];
	meta: { next_page: number | null };
}

/**
 * In the manner of a component of an integration service: it asks now and then who registered or
 * changed since the last time, and emits each person once. The token goes out as it is.
 */
export class PollingComponent {
	private readonly http: AxiosInstance;
	private readonly emitted = new Set<string>();
	private since = 0;

	constructor(
		baseUrl: string,
		token: string,
		private readonly sessionId: string,
	) {
		this.http = axios.create({
			baseURL: baseUrl,
			proxy: false,
			headers: { Authorization: token, 'Content-Type': 'application/json' },
		});
	}

	/** Who is new since the last poll. */
	async poll(): Promise<string[]> {
		const changed: Person[] = [];
		for (let page: number | null = 0; page !== null;) {
			const params: object = {
				'filter[updated_since]': this.since,
				'page[number]': page,
				'page[size]': 50,
			};
			const path = `/v1/sessions/${this.sessionId}/people`;
			const { data, meta }: People = (await this.http.get<People>(path, { params })).data;
			changed.push(...data);
			page = meta.next_page;
		}
		const fresh = changed.filter(({ id }) => !this.emitted.has(id));
		for (const { id, attributes } of fresh) {
			this.emitted.add(id);
			// The same second once more: others may still be registered in it.
			this.since = Math.max(this.since, attributes.registrant_detail.updated_at);
		}
		return [...new Set(fresh.map(({ attributes }) => attributes.email))];
	}
}
