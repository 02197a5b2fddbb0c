import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setSafeRegexEngine } from 'n8n-workflow';

// n8n-core reads these when it is loaded, so this file has to be imported before it.
const home = mkdtempSync(join(tmpdir(), 'n8n-engine-'));
process.env.N8N_USER_FOLDER = home;
process.env.N8N_ENCRYPTION_KEY = 'only for the tests in this folder';
process.env.N8N_LOG_LEVEL = 'silent';

const remove = () => rmSync(home, { recursive: true, force: true });
// A benchmark has no runner, and a runner tells its tests nothing of the end of the process.
if ('afterAll' in globalThis) {
	afterAll(remove);
	// n8n's own ends an expression after 250 ms, which a busy machine may take for any.
	setSafeRegexEngine({
		exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
		test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
		replace: (pattern, input, flags, by) => input.replace(new RegExp(pattern, flags), by),
		matchAll: (pattern, input, flags = '') => [...input.matchAll(new RegExp(pattern, `${flags}g`))],
		split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
	});
} else process.on('exit', remove);
