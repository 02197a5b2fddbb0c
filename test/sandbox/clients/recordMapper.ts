import axios, { type AxiosInstance, type AxiosRequestConfig, isAxiosError } from 'axios';

interface Reference {
	type: string;
	id: string;
}
interface Resource extends Reference {
	attributes: Record<string, unknown>;
	relationships?: Record<string, { data: Reference | Reference[] | null }>;
}
interface Document<Data> {
	data: Data;
	included?: Resource[];
	meta: { next_page: number | null };
}
export interface App {
	baseUrl: string;
	clientId: string;
	clientSecret: string;
}
interface Tokens {
	access_token: string;
	refresh_token: string;
}

/**
 * In the manner of a library that maps JSON:API records to objects: pages of 100, included records
 * looked up by type and id, PUT where others send PATCH, and a token endpoint that it sends HTTP Basic
 * beside complete parameters, as its OAuth library does by itself.
 */
export class RecordMapper {
	private readonly http: AxiosInstance;

	constructor(
		private readonly app: App,
		private tokens: Tokens,
	) {
		const type = 'application/vnd.api+json';
		const headers = { Accept: type, 'Content-Type': type };
		this.http = axios.create({ baseURL: `${app.baseUrl}/v1`, proxy: false, headers });
	}

	async all(path: string, include?: string): Promise<Resource[]> {
		const found: Resource[] = [];
		for (let page: number | null = 0; page !== null;) {
			const params = { 'page[number]': page, 'page[size]': 100, include };
			const document: Document<Resource[]> = await this.send({ url: path, params });
			const records = document.data.map((record) => withRelated(record, document.included ?? []));
			found.push(...records);
			page = document.meta.next_page;
		}
		return found;
	}

	async find(path: string): Promise<Resource> {
		return (await this.send<Document<Resource>>({ url: path })).data;
	}

	async save(path: string, type: string, attributes: object): Promise<Resource> {
		const data = { data: { type, attributes } };
		return (await this.send<Document<Resource>>({ method: 'PUT', url: path, data })).data;
	}

	/** The person, whether it had to be registered or was already. */
	async ensureRegistered(sessionId: string, email: string): Promise<Resource> {
		const url = `/sessions/${sessionId}/people`;
		const attributes = { fields: [{ id: 'email', value: email }] };
		try {
			const data = { data: { type: 'people', attributes } };
			return (await this.send<Document<Resource>>({ method: 'POST', url, data })).data;
		} catch (error) {
			if (!isAxiosError(error) || ![409, 422].includes(error.response?.status ?? 0)) throw error;
			const params = { 'filter[email]': email };
			const [known] = (await this.send<Document<Resource[]>>({ url, params })).data;
			if (!known) throw error;
			return known;
		}
	}

	remove(path: string, params?: object): Promise<void> {
		return this.send({ method: 'DELETE', url: path, params });
	}

	/** Once more with a fresh token after a 401. */
	private async send<Answer>(request: AxiosRequestConfig): Promise<Answer> {
		const authorized = () => ({
			...request,
			headers: { Authorization: `Bearer ${this.tokens.access_token}` },
		});
		try {
			return (await this.http.request<Answer>(authorized())).data;
		} catch (error) {
			if (!isAxiosError(error) || error.response?.status !== 401) throw error;
			await this.refresh();
			return (await this.http.request<Answer>(authorized())).data;
		}
	}

	private async refresh(): Promise<void> {
		const { baseUrl, clientId, clientSecret } = this.app;
		const form = new URLSearchParams({
			grant_type: 'refresh_token',
			client_id: clientId,
			client_secret: clientSecret,
			refresh_token: this.tokens.refresh_token,
		});
		const { data } = await axios.post<Tokens>(`${baseUrl}/oauth/token`, form, {
			proxy: false,
			auth: { username: clientId, password: clientSecret },
		});
		this.tokens = { ...this.tokens, ...data };
	}
}

/** The record with the included attributes of each related record in their place. */
function withRelated(record: Resource, included: Resource[]): Resource {
	const attributes = { ...record.attributes };
	for (const [name, { data }] of Object.entries(record.relationships ?? {})) {
		const related = [data ?? []]
			.flat()
			.flatMap(({ type, id }) => included.find((one) => one.type === type && one.id === id) ?? []);
		attributes[name] = related.map((one) => one.attributes);
	}
	return { ...record, attributes };
}
