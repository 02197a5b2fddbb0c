import axios, { type AxiosInstance } from 'axios';

type Json = Record<string, unknown>;
interface Result {
	status?: string;
	errors?: Array<{ code?: string; message?: string }>;
	data?: { attributes: { email: string } };
}

const final = ['ended', 'failed', 'completed'];

/**
 * In the manner of a web page that uploads a table of people: it takes jobs with and without a `data`
 * around them, asks for results without page parameters, and takes the nth result for the nth row.
 */
export class BatchUploader {
	private readonly http: AxiosInstance;

	constructor(baseUrl: string, token: string) {
		const type = 'application/json';
		this.http = axios.create({
			baseURL: baseUrl,
			proxy: false,
			headers: { Authorization: token, 'Content-Type': type, Accept: type },
		});
	}

	async upload(sessionId: string, rows: readonly Record<string, string>[]): Promise<string> {
		const tasks = rows.map((row) => ({
			fields: Object.entries(row).map(([id, value]) => ({ id, value })),
		}));
		const body = { data: { type: 'jobs', attributes: { tasks } } };
		const { data } = await this.http.post<Json>(`/v1/sessions/${sessionId}/people/bulk`, body);
		return String(unwrapped(data)['id']);
	}

	/** What a person watching the page sees each time it looks: nothing before the end. */
	async look(jobId: string): Promise<Result[]> {
		const { data } = await this.http.get<Json>(`/v1/jobs/${jobId}`);
		const { status } = unwrapped(data)['attributes'] as { status: string };
		if (!final.includes(status)) return [];
		const { data: tasks } = await this.http.get<{ data: Result[] }>(`/v1/jobs/${jobId}/tasks`);
		return tasks.data;
	}

	async registrants(sessionId: string): Promise<string[]> {
		const emails: string[] = [];
		for (let page: number | null = 0; page !== null;) {
			const params: object = { 'page[number]': page, 'page[size]': 50 };
			const answer = await this.http.get<People>(`/v1/sessions/${sessionId}/people`, { params });
			const { data, meta }: People = answer.data;
			emails.push(...data.map(({ attributes }) => attributes.email));
			page = meta.next_page;
		}
		return emails;
	}
}

interface People {
	data: Array<{ attributes: { email: string } }>;
	meta: { next_page: number | null };
}

function unwrapped(answer: Json): Json {
	return (answer['data'] as Json | undefined) ?? answer;
}
