import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { manifest, root } from './built';

const workflows = join(root, '.github/workflows');
const texts = readdirSync(workflows).map((name) => readFileSync(join(workflows, name), 'utf8'));

test('a release is refused while tag and version differ or addresses are stand-ins, and each of them is named', () => {
	const env = { RELEASE_REPOSITORY: 'somebody/another-place', RELEASE_TAG: 'v99.0.0' };
	const { status, stderr } = spawnSync(process.execPath, ['scripts/release.mjs'], {
		cwd: root,
		encoding: 'utf8',
		env: { ...process.env, ...env },
	});
	expect(status).toBe(1);
	const places = ['names the repository', 'homepage', 'bugs', 'EventPlatform.node.json'];
	const told = [`The tag is v99.0.0, package.json says ${manifest.version}`, ...places];
	expect(told.filter((words) => !stderr.includes(words))).toEqual([]);
});

test('every action of the workflows is pinned by the hash of a commit', () => {
	const used = texts.flatMap((text) =>
		[...text.matchAll(/^\s*-? ?uses: (.*)$/gm)].map(([, what]) => what),
	);
	expect(used.length).toBeGreaterThan(5);
	for (const what of used) expect(what).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('only the workflow that publishes may sign, and it tests and checks before it publishes', () => {
	const parsed = texts.map((text) => parse(text) as { jobs: Record<string, Job> });
	const jobs = parsed.flatMap((workflow) => Object.entries(workflow.jobs));
	expect(jobs.filter(([, job]) => job.permissions?.['id-token']).map(([name]) => name)).toEqual([
		'publish',
	]);
	const publish = jobs.find(([name]) => name === 'publish')?.[1];
	expect(publish?.steps.flatMap(({ run }) => run ?? [])).toEqual([
		'npm test',
		'npm run release',
		'npm publish --provenance --access public --ignore-scripts',
	]);
});

interface Job {
	permissions?: Record<string, string>;
	steps: Array<{ run?: string }>;
}
