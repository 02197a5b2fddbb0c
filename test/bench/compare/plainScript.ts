import { readFileSync, writeFileSync } from 'node:fs';
import axios from 'axios';
import { costOf } from './resources';
import { run, type Send, type Task } from './script';

/** A process of its own, like the others: the script with axios. */

interface Given extends Omit<Task, 'sessionId'> {
	items: Array<{ email: string }>;
	access: { baseUrl: string; apiToken: string; sessionId: string };
}

async function main([taskFile = '', resultFile = '']: string[]) {
	const { items, access, ...task } = JSON.parse(readFileSync(taskFile, 'utf8')) as Given;
	const api = axios.create({
		baseURL: `${access.baseUrl}/v1`,
		headers: { Authorization: access.apiToken },
		responseType: 'text',
		transformResponse: (text: string) => text,
		validateStatus: () => true,
	});
	const send: Send = async ({ method, path, query, body }) => {
		const headers = body === undefined ? {} : { 'Content-Type': 'application/vnd.api+json' };
		const given = { method, url: path, params: query, data: body, headers };
		const answer = await api.request<string>(given);
		return { status: answer.status, headers: answer.headers, body: answer.data };
	};
	const emails = items.map(({ email }) => email);
	const { sessionId } = access;
	const { result, cost } = await costOf(() => run({ ...task, sessionId }, emails, send));
	writeFileSync(resultFile, JSON.stringify({ cost, output: result }));
}

void main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});
