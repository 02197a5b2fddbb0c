import { upcomingSession } from './seededIds';
// Its type alone: programs outside jest come here too.
import type { TestSandbox } from './sandbox';

/** Everyone who is registered on the sandbox, as it tells an independent client. */
export async function registered(
	sandbox: Pick<TestSandbox, 'api'>,
	sessionId = upcomingSession,
): Promise<string[]> {
	interface People {
		data: Array<{ attributes: { email: string } }>;
		meta: { page_count: number };
	}
	const emails: string[] = [];
	for (let page = 0, pages = 1; page < pages; page++) {
		const path = `/sessions/${sessionId}/people?page[size]=50&page[number]=${page}`;
		const { data, status } = await sandbox.api.get<People>(path);
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
