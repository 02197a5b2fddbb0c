import type { Access } from '../../sandbox/server';
import { lineOf, startProgram } from '../support/runs/program';

/** The sandbox as `npm run sandbox` starts it, on any free port: what it does costs this process nothing. */
export async function startSandboxProcess(words: readonly string[]) {
	const program = startProgram('sandbox/main.ts', ['--port', '0', ...words]);
	const access = JSON.parse(await lineOf(program, '{')) as Access;
	return {
		...access,
		stop: program.stop,
		/** Gives the requests that reached the API, as the sandbox logged them. */
		async requests() {
			const answer = await fetch(`${access.baseUrl}/_sandbox/requests`);
			const all = (await answer.json()) as Array<{ path: string; status: number }>;
			const requests = all.filter(({ path }) => path.startsWith('/v1/'));
			return { requests, refused: requests.filter(({ status }) => status === 429).length };
		},
	};
}

/** `slowLine.ts` before the sandbox. */
export async function startSlowLine(target: string, failingShare = 0) {
	const program = startProgram('test/bench/slowLine.ts', [target, String(failingShare)]);
	return { baseUrl: await lineOf(program, 'http'), stop: program.stop };
}
