import { spawnSync } from 'node:child_process';
import { root } from './built';

test('docs/reference.md lists what the nodes describe', () => {
	const { stderr } = spawnSync(process.execPath, ['scripts/reference.mjs', '--check'], {
		cwd: root,
		encoding: 'utf8',
	});
	expect(stderr).toBe('');
});
