import { spawnSync } from 'node:child_process';
import { root } from './built';

test.each([
	['docs/reference.md lists what the nodes describe', 'scripts/reference.mjs'],
	['docs/internals/conformance.md lists the tests of the specification', 'scripts/conformance.mjs'],
])('%s', (_, script) => {
	const { stderr } = spawnSync(process.execPath, [script, '--check'], {
		cwd: root,
		encoding: 'utf8',
	});
	expect(stderr).toBe('');
});
