import { startTestServer } from '../support/platform/testServer';

export interface Asked {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string; description: string } }>;
}

export type Said = { text: string } | { use: string; with: Record<string, unknown> };

/** A server with OpenAI's protocol that answers with the script of the test. */
export async function scriptedModel(script: Array<(asked: Asked) => Said>) {
	const asked: Asked[] = [];
	const { baseUrl } = await startTestServer((response, _, body) => {
		const question = JSON.parse(body || '{}') as Asked;
		const say = script[asked.length] ?? (() => ({ text: 'I have nothing more to say.' }));
		asked.push(question);
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(completion(say(question), asked.length)));
	});
	return { url: `${baseUrl}/v1`, asked };
}

function completion(said: Said, number: number) {
	const call = 'use' in said && {
		id: `call-${number}`,
		type: 'function',
		function: { name: said.use, arguments: JSON.stringify(said.with) },
	};
	const content = 'text' in said ? said.text : null;
	const message = { role: 'assistant', content, ...(call && { tool_calls: [call] }) };
	return {
		id: `answer-${number}`,
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [{ index: 0, message, finish_reason: call ? 'tool_calls' : 'stop' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
