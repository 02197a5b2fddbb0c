// Who may import whom. `npm run lint` checks it.
// The layers of the connector, the lowest first: a folder imports from itself and from those before it. What each is for
// stands in docs/internals/developing.md.
const layers = [
	'core/values',
	'core/dialect',
	'core/client',
	'core/failures',
	'core/records',
	'core/files',
	'core/sessions',
	'core/calendar',
	'core/people',
	'core/report',
	'core/jobs',
	'core/registration',
	'core/sync',
	'core/events',
	'core/polling',
	'core/webhooks',
	'n8n',
	'fields',
	'form',
	'editor',
	'triggers',
	'actions',
];
const root = '^nodes/EventPlatform/';
const alternatives = (folders) => `(${folders.join('|')})/`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{
			name: 'no-circle',
			comment: 'Files that import each other cannot be understood one at a time.',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'no-circle-of-folders',
			severity: 'error',
			scope: 'folder',
			from: {},
			to: { circular: true },
		},
		...layers.map((layer, index) => ({
			name: `downwards-from-${layer.replace('/', '-')}`,
			comment: 'Imports run downwards: see the layers in .dependency-cruiser.cjs.',
			severity: 'error',
			from: { path: `${root}${layer}/` },
			to: { path: root, pathNot: `${root}${alternatives(layers.slice(0, index + 1))}` },
		})),
		{
			name: 'core-is-pure',
			comment: 'The core knows no n8n and no package: only what Node brings to compute with.',
			severity: 'error',
			from: { path: `${root}core/` },
			to: { pathNot: `${root}core/|^crypto$` },
		},
		{
			name: 'published-stands-alone',
			comment: 'What is published cannot reach what is not.',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { path: '^(sandbox|certify|host|test|scripts)/' },
		},
		{
			name: 'sandbox-stands-alone',
			comment: 'The sandbox is the platform: it knows nothing of the connector.',
			severity: 'error',
			from: { path: '^sandbox/' },
			to: { path: '^(nodes|credentials|certify|host|test)/' },
		},
		{
			name: 'certify-uses-the-core',
			comment:
				'The check of the real platform sends through the core, and needs neither n8n nor the sandbox to run.',
			severity: 'error',
			from: { path: '^certify/' },
			to: {
				path: '^(nodes|credentials|sandbox|host|test|scripts)/',
				pathNot: '^(nodes/EventPlatform/core/|sandbox/options|scripts/statusLine)',
			},
		},
		{
			name: 'host-runs-without-tests',
			comment: '`npm start` runs on a machine where nothing is tested.',
			severity: 'error',
			from: { path: '^host/' },
			to: { path: '^test/' },
		},
		{
			name: 'tests-are-imported-by-nobody',
			comment: 'What two tests share stands beside them or in test/support.',
			severity: 'error',
			from: {},
			to: { path: '\\.test\\.ts$' },
		},
		{
			name: 'support-serves-every-suite',
			comment: 'What the suites share knows none of them.',
			severity: 'error',
			from: { path: '^test/support/' },
			to: { path: '^test/', pathNot: '^test/support/' },
		},
		{
			name: 'suites-import-no-other-suite',
			comment:
				'A suite imports from its own folder and from test/support, never from another suite.',
			severity: 'error',
			from: { path: '^test/(?!support/)([^/]+)/' },
			to: { path: '^test/', pathNot: '^test/(support|$1)/' },
		},
		{
			name: 'scripts-need-nothing-built',
			comment:
				'Scripts run on any Node before anything is compiled: they read files, and start programs. ' +
				'The lint of descriptions loads the nodes that package.json names.',
			severity: 'error',
			from: { path: '^scripts/' },
			to: { path: '^(nodes|credentials|sandbox|certify|host|test)/' },
		},
		{
			name: 'packages-are-declared',
			comment:
				'What is imported stands in package.json: another package may cease to bring it along.',
			severity: 'error',
			from: {},
			to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		// What host/ installs for itself stands in a file of its own.
		combinedDependencies: true,
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
		enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
	},
};
