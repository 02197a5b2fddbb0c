import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { RunScene } from '../n8n/engine';
import { mapped, operate, type OperationRun, type Platform } from '../n8n/operation';
import { upcomingSession } from '../platform/seededIds';
import { byId } from '../n8n/locators';

interface BulkScene extends Omit<Partial<RunScene>, 'parameters'> {
	parameters?: object;
}

/** Runs bulk registration, for the first upcoming session unless told otherwise. */
export function bulkRegister(
	platform: Platform,
	people: readonly IDataObject[],
	{ parameters, ...scene }: BulkScene = {},
): Promise<OperationRun> {
	const fields = mapped({ email: '={{ $json.email }}', first_name: '={{ $json.first_name }}' });
	const all = { sessionId: byId(upcomingSession), fields, ...parameters };
	return operate(platform, 'registration.bulkRegister', all, { items: people, ...scene });
}

/** Runs Registration → Sync, for the first upcoming session unless told otherwise. */
export function sync(
	platform: Platform,
	people: readonly IDataObject[],
	options: INodeParameters = {},
	{ parameters, ...scene }: BulkScene = {},
): Promise<OperationRun> {
	const all = { operation: 'sync', options, ...parameters };
	return bulkRegister(platform, people, { parameters: all, ...scene });
}

/** The items of so many people, who have an address and a first name. */
export function numberedPeople(count: number, name = 'p') {
	return Array.from({ length: count }, (_, index) => ({
		email: `${name}${index}@example.com`,
		first_name: `${name} ${index}`,
	}));
}

export function emailsOf(people: readonly IDataObject[]): string[] {
	return people.map(({ email }) => email as string).sort();
}

/** How many people have which status. */
export function statusesOf(records: readonly IDataObject[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const record of records) {
		const status = record.status as string;
		counts[status] = (counts[status] ?? 0) + 1;
	}
	return counts;
}
