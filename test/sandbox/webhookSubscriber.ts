import { bulkOf, personOf, type TestSandbox, upcomingSession } from '../support/sandbox';
import { openReceiver } from '../support/receiver';

/** A delivery as GET /_sandbox/deliveries shows it. */
export interface Shown {
	id: string;
	event: string;
	status: string;
	attempts: Array<{ status: number | null; error: string | null; time: number }>;
	nextAttemptAt: number | null;
	body: unknown;
}

const closing: Array<() => Promise<void>> = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

/** A receiver that ends with the test. */
export async function receiver(...rest: Parameters<typeof openReceiver>) {
	const opened = await openReceiver(...rest);
	closing.push(opened.close);
	return opened;
}

export async function subscribe({ api }: TestSandbox, url: string, event: string): Promise<string> {
	const { data } = await api.post<{ data: { id: string } }>('/webhooks', {
		data: { type: 'webhooks', attributes: { url, event } },
	});
	return data.data.id;
}

export function register({ api }: TestSandbox, email: string, more: Record<string, string> = {}) {
	return api.post(`/sessions/${upcomingSession}/people`, personOf(email, more));
}

/** The job as it is in the end. */
export async function runJob({ api, jobEnd }: TestSandbox, emails: string[]) {
	const path = `/sessions/${upcomingSession}/people/bulk`;
	const { data } = await api.post<{ id: string }>(path, bulkOf(emails));
	return jobEnd(data.id);
}

export async function shown({ web }: TestSandbox): Promise<Shown[]> {
	return (await web.get<Shown[]>('/_sandbox/deliveries')).data;
}
