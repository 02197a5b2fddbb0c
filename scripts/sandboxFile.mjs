// Writes the sandbox as one file that runs without an install: node scripts/sandboxFile.mjs [file]
// Without a name it is reports/sandbox.cjs. The release has it beside the package.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { root } from './root.mjs';

/** Files that the sandbox reads while it runs. The report of the real platform is there once one was adopted. */
const files = ['contract/openapi.yaml', 'contract/observed.json', 'sandbox/files/film.mp4'];
const folders = ['sandbox/page/public'];

const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const outfile = resolve(process.argv[2] ?? join(root, 'reports/sandbox.cjs'));
mkdirSync(dirname(outfile), { recursive: true });

// It runs before everything else. Where Node has no SQLite, the first import would fail with a stack that tells nobody what to do.
const start = `
try {
	require('node:sqlite');
} catch {
	console.error('The sandbox needs Node 22.13 or newer, and this is ' + process.version + '. With npm: npx --yes node@24 ' + process.argv.slice(1).join(' '));
	process.exit(1);
}`;

const options = {
	absWorkingDir: root,
	entryPoints: ['sandbox/main.ts'],
	outfile,
	bundle: true,
	platform: 'node',
	target: 'node22',
	format: 'cjs',
	minify: true,
	// The licences stand at the end, as a whole.
	legalComments: 'none',
	logLevel: 'error',
	plugins: [{ name: 'own-files', setup: (bundler) => bundler.onLoad({ filter }, ownFiles) }],
};
const filter = /[\\/]sandbox[\\/]ownFiles\.ts$/;

const { metafile } = await build({ ...options, metafile: true, write: false });
const banner = `#!/usr/bin/env node\n/* The sandbox of n8n-nodes-event-platform ${version} (${license}) */${start}`;
await build({
	...options,
	banner: { js: banner },
	footer: { js: `/*\n${licences(metafile).replaceAll('*/', '* /')}\n*/` },
});

/** Replaces the module that reads the sandbox's own files by one that has them inside. */
function ownFiles() {
	const present = [
		...files.filter((file) => existsSync(join(root, file))),
		...folders.flatMap((folder) =>
			readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
		),
	];
	const contents = Object.fromEntries(
		present.map((file) => [file, readFileSync(join(root, file), 'base64')]),
	);
	return {
		loader: 'js',
		contents: `
			const contents = ${JSON.stringify(contents)};
			export const readOwnFile = (path) =>
				path in contents ? Buffer.from(contents[path], 'base64') : undefined;
			export const ownFile = readOwnFile;
			export const ownFilesIn = (folder) =>
				Object.keys(contents)
					.filter((path) => path.startsWith(folder + '/'))
					.map((path) => path.slice(folder.length + 1));
		`,
	};
}

/** The names and the licences of the packages that are inside. */
function licences({ inputs }) {
	const names = Object.keys(inputs).flatMap(
		(path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? [],
	);
	return [...new Set(names)].sort().map(licenceOf).join('\n\n');
}

function licenceOf(folder) {
	const {
		name,
		version: packageVersion,
		license: kind,
	} = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
	const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
	const text = file ? `\n${readFileSync(join(root, folder, file), 'utf8').trim()}` : '';
	return `${name} ${packageVersion} (${kind})${text}`;
}
