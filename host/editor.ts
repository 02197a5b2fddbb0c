import { randomUUID } from 'node:crypto';

export interface Login {
	email: string;
	password: string;
}

export interface SavedCredential {
	id: string;
	name: string;
	type: string;
	data?: Record<string, unknown>;
}

export interface WorkflowNode {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string | null; name: string }>;
	[more: string]: unknown;
}

export interface Workflow {
	id?: string;
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	versionId?: string;
	active?: boolean;
	/** What nodes are said to have given. */
	pinData?: Record<string, Array<{ json: Record<string, unknown> }>>;
	[more: string]: unknown;
}

/** n8n's REST API as its editor uses it, for a program that has signed in. */
export class Editor {
	private readonly cookies = new Map<string, string>();
	private readonly browserId = randomUUID();

	constructor(readonly url: string) {}

	/** Creates the owner of an empty n8n; does nothing where there is one. */
	async ensureOwner({ email, password }: Login): Promise<void> {
		const { userManagement } = await this.get<{
			userManagement: { showSetupOnFirstLoad: boolean };
		}>('/rest/settings');
		if (!userManagement.showSetupOnFirstLoad) return;
		await this.post('/rest/owner/setup', {
			email,
			password,
			firstName: 'Event',
			lastName: 'Platform',
		});
	}

	async signIn({ email, password }: Login): Promise<void> {
		await this.post('/rest/login', { emailOrLdapLoginId: email, password });
	}

	get<T>(path: string): Promise<T> {
		return this.ask<T>('GET', path);
	}

	post<T>(path: string, body: unknown): Promise<T> {
		return this.ask<T>('POST', path, body);
	}

	patch<T>(path: string, body: unknown): Promise<T> {
		return this.ask<T>('PATCH', path, body);
	}

	delete<T>(path: string): Promise<T> {
		return this.ask<T>('DELETE', path);
	}

	/** Opens a page as a browser would, but follows no redirect. */
	async open(url: string, init: RequestInit = {}): Promise<Response> {
		const own = url.startsWith(this.url);
		const response = await fetch(url, {
			...init,
			redirect: 'manual',
			headers: { ...init.headers, ...(own && this.identity()) },
		});
		if (own) this.keepCookies(response);
		return response;
	}

	private async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.open(`${this.url}${path}`, {
			method,
			headers: { 'content-type': 'application/json' },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!response.ok)
			throw new Error(`n8n answered ${response.status} to ${method} ${path}: ${text}`);
		const answer = JSON.parse(text || '{}') as { data?: T };
		return (answer.data ?? answer) as T;
	}

	private identity() {
		const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
		return { 'browser-id': this.browserId, ...(cookie && { cookie }) };
	}

	private keepCookies(response: Response) {
		for (const line of response.headers.getSetCookie()) {
			const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
			this.cookies.set(name, value);
		}
	}
}
