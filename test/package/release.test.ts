import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { manifest, root } from './built';

const workflows = join(root, '.github/workflows');
const texts = readdirSync(workflows).map((name) => readFileSync(join(workflows, name), 'utf8'));

const publishing =
	texts.map((text) => (load(text) as Workflow).jobs).find((jobs) => 'publish' in jobs) ?? {};
const commandsOf = (name: string) => publishing[name]?.steps.flatMap(({ run }) => run ?? []) ?? [];

test('a release is refused while tag and version differ or addresses are stand-ins, and each of them is named', () => {
	const env = { RELEASE_REPOSITORY: 'somebody/another-place', RELEASE_TAG: 'v99.0.0' };
	const { status, stderr, stdout } = spawnSync(process.execPath, ['scripts/release.mjs'], {
		cwd: root,
		encoding: 'utf8',
		env: { ...process.env, ...env },
	});
	expect(status).toBe(1);
	const inEditor = ['names the repository', 'homepage', 'bugs', 'EventPlatform.node.json'];
	const places = [...inEditor, 'README.md leads', 'docs/troubleshooting.md leads'];
	const complaints = [`The tag is v99.0.0, package.json says ${manifest.version}`, ...places];
	expect(complaints.filter((words) => !stderr.includes(words))).toEqual([]);
	expect(stderr).not.toContain('docs/alternatives.md');
	// A checksum is to be declared, so none is printed of what is not published.
	expect(stdout).not.toContain('sha512');
});

test('what can be published is told with the checksum that npm will have', () => {
	const folder = mkdtempSync(join(tmpdir(), 'event-platform-release-'));
	cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
	const published = {
		...manifest,
		n8n: { nodes: [], credentials: [] },
		repository: { url: 'git+https://github.com/somebody/nodes.git' },
		homepage: 'https://github.com/somebody/nodes',
		bugs: { url: 'https://github.com/somebody/nodes/issues' },
		author: { email: 'somebody@company.test' },
	};
	writeFileSync(join(folder, 'package.json'), JSON.stringify(published));
	writeFileSync(join(folder, 'CHANGELOG.md'), `## [${manifest.version}] - 2026-12-01\n`);
	const { status, stdout } = spawnSync(process.execPath, ['scripts/release.mjs'], {
		cwd: folder,
		encoding: 'utf8',
		env: { ...process.env, RELEASE_REPOSITORY: 'somebody/nodes' },
	});
	rmSync(folder, { recursive: true });
	expect(stdout).toMatch(/can be published\.\nIts checksum, .*: sha512-[\w+/]{86}==\n$/);
	expect(status).toBe(0);
});

test('every action of the workflows is pinned by the hash of a commit', () => {
	const used = texts.flatMap((text) =>
		[...text.matchAll(/^\s*-? ?uses: (.*)$/gm)].map(([, what]) => what),
	);
	expect(used.length).toBeGreaterThan(5);
	for (const what of used)
		expect(what).toMatch(/^[\w-]+(?:\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('the job that publishes runs no tests and waits for a job that does, and only what runs nothing else may sign', () => {
	const parsed = texts.map((text) => load(text) as Workflow);
	expect(parsed.map(({ permissions }) => permissions)).toEqual(parsed.map(() => readOnly));
	const jobs = parsed.flatMap((workflow) => Object.entries(workflow.jobs));
	expect(jobs.filter(([, job]) => job.permissions?.['id-token']).map(([name]) => name)).toEqual([
		'publish',
		'attach',
	]);
	expect(publishing.publish?.needs).toBe('test');
	expect(commandsOf('test')).toEqual(['npm test']);
	expect(commandsOf('publish')).toEqual([
		'npm run release',
		'npm publish --provenance --access public --ignore-scripts',
	]);
});

test('the release has the file that was published, with its checksum, signed by a job that runs nothing of the repository', () => {
	const { attach } = publishing;
	expect(attach?.needs).toEqual(['publish', 'files']);
	expect(attach?.permissions).toEqual({
		contents: 'write',
		'id-token': 'write',
		attestations: 'write',
	});
	const uses = attach?.steps.flatMap(({ uses: used }) => used?.replace(/@.*$/, '') ?? []) ?? [];
	expect(uses).toEqual([
		'actions/setup-node',
		'actions/download-artifact',
		'actions/attest-build-provenance',
		'actions/attest-sbom',
	]);
	const commands = commandsOf('attach');
	expect(commands.map((command) => command.split(' ').slice(0, 2).join(' '))).toEqual([
		'npm pack',
		"printf '\\n\\nChecksum",
		'gh release',
	]);
	expect(commands[1]).toContain('dist.integrity');
	expect(commands[2]).toMatch(/-\*\.tgz sandbox\.cjs sbom\.cdx\.json .*--notes-file notes\.md$/);
});

test('the notes of a release are the section of the changelog, and a version without one has none', () => {
	const folder = mkdtempSync(join(tmpdir(), 'event-platform-changelog-'));
	const file = join(folder, 'CHANGELOG.md');
	const text =
		'# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-12-01\n\n### Added\n\n- One.\n\n## [1.2] - soon\n\n- Old.\n';
	writeFileSync(file, text);
	const notes = (version: string) =>
		spawnSync(process.execPath, ['scripts/releaseNotes.mjs', version, file], {
			cwd: root,
			encoding: 'utf8',
		});
	expect(notes('1.2.0').stdout).toBe('### Added\n\n- One.\n');
	for (const version of ['1.2', '1.2.1', 'Unreleased', '1x2x0']) {
		expect(notes(version)).toMatchObject({ status: 1, stdout: '' });
	}
	rmSync(folder, { recursive: true });
});

/** The permissions of a job that does not ask for more. */
const readOnly = { contents: 'read' };

interface Workflow {
	permissions?: Record<string, string>;
	jobs: Record<string, Job>;
}

interface Job {
	needs?: string | string[];
	permissions?: Record<string, string>;
	steps: Array<{ run?: string; uses?: string; env?: Record<string, string> }>;
}
