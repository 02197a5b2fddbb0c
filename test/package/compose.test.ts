import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { load } from 'js-yaml';
import { tryFiles } from '../../host/tryFiles';
import { seededId } from '../../sandbox/seed/ids';
import { manifest, root } from './built';

/* What the compose files of the repository and of its pages have in common with n8n and with each other. Docker itself checks their form on GitHub. */

interface Compose {
	services: Record<
		string,
		{
			image: string;
			environment?: Record<string, string>;
			volumes?: string[];
			depends_on?: string[] | Record<string, { condition: string }>;
			network_mode?: string;
			ports?: string[];
			entrypoint?: string[];
		}
	>;
	volumes?: Record<string, unknown>;
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const ofPage = [...read('docs/docker.md').matchAll(/```yaml\n(services:\n[\s\S]+?)\n```/g)].map(
	([, text = ''], index): [string, string] => [`docs/docker.md, number ${index + 1}`, text],
);
const texts: Array<[string, string]> = [
	['host/try.yaml', read('host/try.yaml')],
	['host/compose.yaml', read('host/compose.yaml')],
	...ofPage,
];
const files = texts.map(([name, text]): [string, Compose] => [name, load(text) as Compose]);

const composeOfPage = (index: number) => load(ofPage[index]?.[1] ?? '') as Compose;

/** Read in n8n's command line program and in its task runner; neither is among the packages of this repository. */
const knownElsewhere = [
	'N8N_REINSTALL_MISSING_PACKAGES',
	'N8N_RUNNERS_TASK_BROKER_URI',
	'N8N_UNVERIFIED_PACKAGES_ENABLED',
];

test.each(files)('each variable of n8n in %s stands in what n8n publishes', (_, file) => {
	const config = join(dirname(require.resolve('@n8n/config/package.json')), 'dist');
	const sources = readdirSync(config, { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.js'))
		.map((path) => readFileSync(join(config, path), 'utf8'))
		.join('\n');
	const ofN8n = Object.values(file.services)
		.flatMap(({ environment = {} }) => Object.keys(environment))
		.filter((name) => name.startsWith('N8N_') && !knownElsewhere.includes(name));
	expect(ofN8n.filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
});

test('where n8n runs in a container, the one that runs Code nodes stands beside it, in the same version', () => {
	const [[, file]] = files as [[string, Compose]];
	const version = (image: string) => image.split(':').slice(1).join(':');
	const { n8n, runners } = file.services;
	expect(version(runners?.image ?? '')).toBe(version(n8n?.image ?? ''));
	expect(runners?.environment?.N8N_RUNNERS_AUTH_TOKEN).toBe(
		n8n?.environment?.N8N_RUNNERS_AUTH_TOKEN,
	);
});

test('the images of the files and of the pages are those of the n8n that everything is tested in', () => {
	const { dependencies } = JSON.parse(read('host/package.json')) as {
		dependencies: { n8n: string };
	};
	const pages = ['README.md', 'docs/install.md', 'docs/docker.md'].map(read);
	const versions = [...texts.map(([, text]) => text), ...pages].flatMap((text) =>
		[...text.matchAll(/n8nio\/\w+:(?:\$\{N8N_VERSION:-)?([\d.]+)/g)].map(([, version]) => version),
	);
	expect(versions.length).toBeGreaterThan(5);
	expect(new Set(versions)).toEqual(new Set([dependencies.n8n]));
	expect(read('README.md')).toContain(`n8n ${dependencies.n8n}`);
	expect(read('docs/install.md')).toContain(`\`npm start\` starts n8n ${dependencies.n8n}`);
});

test('the compose file of the Docker page starts n8n after the nodes are installed in its volume', () => {
	const { services, volumes = {} } = composeOfPage(1);
	const { n8n, 'event-platform': installer } = services;
	const [volume = ''] = n8n?.volumes ?? [];
	expect(n8n?.depends_on).toEqual({
		'event-platform': { condition: 'service_completed_successfully' },
	});
	expect(installer?.image).toBe(n8n?.image);
	expect(installer?.volumes).toContain(volume);
	expect(Object.keys(volumes)).toEqual([volume.split(':')[0]]);
	expect(installer?.entrypoint?.slice(0, 4)).toEqual([
		'npm',
		'install',
		'--prefix',
		'/home/node/.n8n/nodes',
	]);
});

test('the Docker page declares the package as n8n reads it: this version, with a checksum, on a volume', () => {
	const { services, volumes = {} } = composeOfPage(0);
	const { environment = {}, volumes: mounted = [] } = services.n8n ?? {};
	expect(environment).toMatchObject({ N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true' });
	expect(JSON.parse(environment.N8N_COMMUNITY_PACKAGES ?? '')).toEqual([
		{
			name: manifest.name,
			version: manifest.version,
			checksum: expect.stringMatching(/^sha512-/) as string,
		},
	]);
	expect(Object.keys(volumes)).toEqual([mounted[0]?.split(':')[0]]);
});

test('what is imported leads to the sandbox of the file, and its sessions are those of a new sandbox', async () => {
	const { credentials, workflows } = await tryFiles('http://127.0.0.1:4010');
	expect(credentials).toMatchObject([
		{ data: { baseUrl: 'http://127.0.0.1:4010', apiToken: 'sandbox-token' } },
	]);
	expect(new Set(workflows.map(({ id }) => id)).size).toBe(workflows.length);
	const text = JSON.stringify(workflows);
	expect(text).toContain(seededId('session', 1));
	// That is where the browser finds both, too: a form of n8n would not open at the name of a container.
	const [[, { services }]] = files as [[string, Compose]];
	expect(services.sandbox?.network_mode).toBe('service:n8n');
	expect(services.n8n?.ports).toEqual(['127.0.0.1:5678:5678', '127.0.0.1:4010:4010']);
	const unset = workflows.flatMap(({ nodes }) =>
		nodes.filter(
			({ type, credentials: chosen }) => type.startsWith('n8n-nodes-event-platform.') && !chosen,
		),
	);
	expect(unset).toEqual([]);
});

test('the script that the file runs is there, and the sandbox is where it writes it', () => {
	const commands = JSON.stringify(files[0]);
	expect(commands).toContain('/source/host/try.sh');
	expect(existsSync(join(root, 'host/try.sh'))).toBe(true);
	expect(read('host/try.sh')).toContain('/made/sandbox.cjs');
});
