import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
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
	const complaints = [`The tag is v99.0.0, package.json says ${manifest.version}`, ...places];
	expect(complaints.filter((words) => !stderr.includes(words))).toEqual([]);
});

test('every action of the workflows is pinned by the hash of a commit', () => {
	const used = texts.flatMap((text) =>
		[...text.matchAll(/^\s*-? ?uses: (.*)$/gm)].map(([, what]) => what),
	);
	expect(used.length).toBeGreaterThan(5);
	for (const what of used) expect(what).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('only the job that publishes may sign; it runs no tests, and waits for a job that does', () => {
	const parsed = texts.map((text) => load(text) as Workflow);
	expect(parsed.map(({ permissions }) => permissions)).toEqual(parsed.map(() => readOnly));
	const jobs = parsed.flatMap((workflow) => Object.entries(workflow.jobs));
	expect(jobs.filter(([, job]) => job.permissions?.['id-token']).map(([name]) => name)).toEqual([
		'publish',
	]);
	const publishing = parsed.find(({ jobs }) => 'publish' in jobs)?.jobs ?? {};
	const commandsOf = (name: string) => publishing[name]?.steps.flatMap(({ run }) => run ?? []);
	expect(publishing.publish?.needs).toBe('test');
	expect(commandsOf('test')).toEqual(['npm test']);
	expect(commandsOf('publish')).toEqual([
		'npm run release',
		'npm publish --provenance --access public --ignore-scripts',
	]);
});

test('the release has the file that was published, from a job that may do nothing else', () => {
	const jobs = texts.map((text) => (load(text) as Workflow).jobs);
	const { attach } = jobs.find((jobsOfFile) => 'attach' in jobsOfFile) ?? {};
	expect(attach?.needs).toBe('publish');
	expect(attach?.permissions).toEqual({ contents: 'write' });
	// The job downloads the file that npm has. Nothing of the repository runs where the release is written.
	const commands = attach?.steps.flatMap(({ run }) => run ?? []) ?? [];
	expect(commands.map((command) => command.split(' ').slice(0, 2).join(' '))).toEqual([
		'npm pack',
		'gh release',
	]);
});

/** The permissions of a job that does not ask for more. */
const readOnly = { contents: 'read' };

interface Workflow {
	permissions?: Record<string, string>;
	jobs: Record<string, Job>;
}

interface Job {
	needs?: string;
	permissions?: Record<string, string>;
	steps: Array<{ run?: string }>;
}
