import { seededId } from '../../sandbox/seed/ids';
import type { TestSandbox } from './sandbox';

interface PeoplePage {
	data: Array<{ attributes: { email: string } }>;
	meta: { page_count: number };
}

/** Everyone who is registered on the sandbox, as it tells an independent client. */
export async function registered(
	sandbox: Pick<TestSandbox, 'api'>,
	sessionId = seededId('session', 1),
): Promise<string[]> {
	const emails: string[] = [];
	for (let page = 0, pages = 1; page < pages; page++) {
		const { data, status } = await sandbox.api.get<PeoplePage>(`/sessions/${sessionId}/people`, {
			params: { 'page[number]': page, 'page[size]': 50 },
		});
		if (status === 429) {
			await new Promise((later) => setTimeout(later, 250));
			page -= 1;
			continue;
		}
		emails.push(...data.data.map(({ attributes }) => attributes.email));
		pages = data.meta.page_count;
	}
	return emails.sort();
}
