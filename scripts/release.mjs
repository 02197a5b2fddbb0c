// Refuses to publish what is not ready: `npm run release` prints what is missing and ends with 1.
// In GitHub's workflow RELEASE_TAG and RELEASE_REPOSITORY (owner/name) come from the run; by hand the version and
// the remote `origin` of the checkout stand in for them.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pack from './packed.js';
import { root } from './root.mjs';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const tag = process.env.RELEASE_TAG ?? `v${manifest.version}`;
const repository = process.env.RELEASE_REPOSITORY ?? origin();
const findings = [...ofTheVersion(), ...ofTheAddresses(), ...ofTheBuild()];

for (const finding of findings) console.error(`- ${finding}`);
if (findings.length > 0) {
	console.log('Not published. Mend what is listed, then set the tag anew.');
} else {
	console.log(`${manifest.name} ${manifest.version} can be published.`);
	console.log(`Its checksum, as npm and N8N_COMMUNITY_PACKAGES have it: ${checksum()}`);
}
process.exit(findings.length === 0 ? 0 : 1);

function* ofTheVersion() {
	if (tag !== `v${manifest.version}`) {
		yield `The tag is ${tag}, package.json says ${manifest.version}: they must be the same version.`;
	}
	const notes = spawnSync(process.execPath, ['scripts/releaseNotes.mjs', manifest.version], {
		cwd: root,
	});
	if (notes.status !== 0) {
		yield `CHANGELOG.md has no section "## [${manifest.version}] - <date>".`;
	}
}

/** n8n and npm send people to these addresses: they have to be those of the repository that publishes. */
function* ofTheAddresses() {
	if (!repository) {
		yield 'The checkout has no remote "origin": nobody can tell whether the addresses in package.json are real.';
		return;
	}
	const home = `https://github.com/${repository}`;
	if (manifest.repository.url !== `git+${home}.git`) {
		yield `package.json names the repository ${manifest.repository.url}, but this is ${home}.`;
	}
	for (const [file, address] of addresses()) {
		if (address !== home && !address.startsWith(`${home}/`) && !address.startsWith(`${home}#`)) {
			yield `${file} leads to ${address}, which is not part of ${home}.`;
		}
	}
	if (/@(users\.noreply\.github\.com|example\.\w+)$/.test(manifest.author.email)) {
		yield `package.json names ${manifest.author.email} as author: nobody reads mail there.`;
	}
}

function* addresses() {
	yield ['package.json (homepage)', manifest.homepage];
	yield ['package.json (bugs)', manifest.bugs.url];
	for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
		const isInEditor = /^(nodes|credentials)[\\/].*\.(node\.json|credentials\.ts)$/.test(file);
		const isPage = /^(README|docs[\\/][\w-]+)\.md$/.test(file);
		if (!isInEditor && !isPage) continue;
		const text = readFileSync(join(root, file), 'utf8');
		for (const [address] of text.matchAll(/https:\/\/github\.com\/[^\s'"`)]+/g)) {
			// A page may lead to repositories of others as well.
			if (isInEditor || address.split('/')[4]?.replace(/\.git$/, '') === manifest.name) {
				yield [file, address.replace(/\.git$/, '')];
			}
		}
	}
}

function* ofTheBuild() {
	for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
		if (!existsSync(join(root, file))) yield `${file} has not been built: npm run build.`;
	}
}

/** The `dist.integrity` that npm will show: packed twice, the file is the same. */
function checksum() {
	const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
		cwd: root,
		encoding: 'utf8',
		shell: process.platform === 'win32',
	});
	return pack.packedIn(stdout).integrity;
}

function origin() {
	const { stdout } = spawnSync('git', ['remote', 'get-url', 'origin'], {
		cwd: root,
		encoding: 'utf8',
	});
	return /github\.com[:/](.+?\/.+?)(\.git)?\s*$/.exec(stdout)?.[1];
}
