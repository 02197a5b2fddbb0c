import type { INodeType } from 'n8n-workflow';

const nodes = '../../../nodes/EventPlatform';

/** Loads a node as a process does that has just started: this copy knows nothing of what another one has seen. */
export function loadFreshNode(name: string): new () => INodeType {
	const classes: Array<new () => INodeType> = [];
	jest.isolateModules(() => {
		const module = jest.requireActual<Record<string, new () => INodeType>>(`${nodes}/${name}.node`);
		classes.push(...Object.values(module));
	});
	const [Class] = classes;
	if (!Class) throw new Error(`${name} has no class`);
	return Class;
}
