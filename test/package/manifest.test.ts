import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { credentials, manifest, nodes, root } from './built';

interface Codex {
	resources: Record<string, Array<{ url: string }>>;
}

test.each(nodes)(
	'$path has its codex: documentation, and words under which it is found',
	(node) => {
		const file = join(root, node.path.replace(/\.js$/, '.json'));
		const codex = JSON.parse(readFileSync(file, 'utf8')) as Codex;
		const words = ['livestorm', 'webinar', 'registration', 'bulk', 'attendee'];
		expect(codex).toMatchObject({
			node: `${manifest.name}.${node.loaded.description.name}`,
			categories: expect.arrayContaining([expect.any(String)]) as string[],
			alias: expect.arrayContaining(words) as string[],
		});
		const links = Object.values(codex.resources).flat();
		expect(links.filter(({ url }) => !url.startsWith(manifest.homepage))).toEqual([]);
	},
);

test('the search of the node panel finds the action node by the names of things that it has', () => {
	const { alias } = JSON.parse(
		readFileSync(join(root, 'nodes/EventPlatform/EventPlatform.node.json'), 'utf8'),
	) as { alias: string[] };
	const words = [
		'register attendees',
		'attendees',
		'online event',
		'signup',
		'recording',
		'sync',
		'attendance',
		'join link',
		'utm',
		'campaign',
		'calendar',
		'reminder',
		'no-show',
		'replay',
		'csv',
	];
	expect(alias).toEqual(expect.arrayContaining([...words, 'audit']));
	expect(new Set(alias).size).toBe(alias.length);
});

test('each node asks for the credential of the authentication that was chosen', () => {
	const shownFor = (...authentication: string[]) => ({ show: { authentication } });
	for (const { loaded } of nodes) {
		// n8n offers the first kind to people who have no credential yet.
		expect(loaded.description.credentials).toMatchObject([
			{ name: 'eventPlatformApi', required: true, displayOptions: shownFor('apiToken') },
			{ name: 'eventPlatformOAuth2Api', required: true, displayOptions: shownFor('oAuth2') },
		]);
	}
	expect(credentials.map(({ loaded }) => loaded.name).sort()).toEqual([
		'eventPlatformApi',
		'eventPlatformOAuth2Api',
	]);
});

test('a new node starts with the API token, because OAuth2 is for technology partners', () => {
	for (const { loaded } of nodes) {
		const { properties } = loaded.description;
		const authentication = properties.find(({ name }) => name === 'authentication');
		expect(authentication?.default).toBe('apiToken');
	}
});
