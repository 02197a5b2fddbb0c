import { spawnSync } from 'node:child_process';
import { root } from './built';

test.each([
	['docs/reference.md', 'the nodes describe', 'reference.mjs'],
	['examples/README.md', 'the notes on the canvases say', 'examples.mjs'],
])('%s lists what %s', (_page, _source, script) => {
	const { stderr } = spawnSync(process.execPath, [`scripts/${script}`, '--check'], {
		cwd: root,
		encoding: 'utf8',
	});
	expect(stderr).toBe('');
});
