import { byId, list, make, say } from './dom.js';

/** Which platform this is, and in what it differs from the one of the specification. */
export function showWorld({ world }) {
	say(byId('world'), `${nameOf(world)}, on this machine`);
	byId('traits').hidden = world.traits.length === 0;
	list(
		byId('trait-list'),
		world.traits.map((trait) => ({ id: trait.trait, ...trait })),
		({ id }) => make('div', {}, make('dt', {}, id), make('dd'), make('dd', { class: 'detail' })),
		(row, { value, meaning }) => {
			const [, setting, explanation] = row.children;
			say(setting, value === true ? 'on' : value === false ? 'off' : value);
			say(explanation, meaning);
		},
	);
}

function nameOf({ name, traits }) {
	if (name === 'exact') return 'The platform of the specification and nothing more';
	if (name !== 'specification') return `A platform of the world "${name}"`;
	const count = traits.length;
	if (count === 0) return 'The platform of the specification';
	return `The platform of the specification, but for ${count} ${count === 1 ? 'trait' : 'traits'}`;
}
