import type { AxiosResponse } from 'axios';
import type { ApiRecord } from '../../../sandbox/platform';
import { type JobAnswer, type TestSandbox } from './sandbox';
import { upcomingSession } from './seededIds';

export interface Page<Item = ApiRecord> {
	data: Item[];
	meta: { record_count: number };
}

interface TaskResult {
	status: 'succeeded' | 'failed';
	errors: Array<{ code: string; message: string }>;
	data?: ApiRecord;
}

export const bulkPath = `/sessions/${upcomingSession}/people/bulk`;

export async function finishedJob(sandbox: TestSandbox, emails: string[]): Promise<JobAnswer> {
	return sandbox.jobEnd(await sandbox.startJob(emails));
}

export async function resultsOf({ api }: TestSandbox, jobId: string): Promise<TaskResult[]> {
	return (await api.get<Page<TaskResult>>(`/jobs/${jobId}/tasks`)).data.data;
}

/** The header of a fresh access token. */
export async function bearer({ web }: TestSandbox, scope?: string): Promise<string> {
	const { data } = await web.post<{ access_token: string }>('/_sandbox/oauth/issue', { scope });
	return `Bearer ${data.access_token}`;
}

/** A request of the API with another Authorization header, or with none. */
export function getAs({ web }: TestSandbox, Authorization?: string, path = '/v1/events') {
	return web.get<unknown>(path, { headers: { Authorization } });
}

export function detailOf({ data }: AxiosResponse<unknown>): string {
	return (data as { errors: Array<{ detail: string }> }).errors[0]?.detail ?? '';
}
