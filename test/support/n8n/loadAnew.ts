import * as workflow from 'n8n-workflow';
import type { INodeType } from 'n8n-workflow';

const nodes = '../../../nodes/EventPlatform';

/**
 * Loads a node as a process does that has just started: this copy knows nothing of what another one has seen. n8n's own
 * package is taken as it is loaded, because it remembers nothing of us and takes a second to load.
 */
export function loadAnew(name: string): new () => INodeType {
	const classes: Array<new () => INodeType> = [];
	jest.doMock('n8n-workflow', () => workflow);
	jest.isolateModules(() => {
		const module = jest.requireActual<Record<string, new () => INodeType>>(`${nodes}/${name}.node`);
		classes.push(...Object.values(module));
	});
	jest.dontMock('n8n-workflow');
	const [Class] = classes;
	if (!Class) throw new Error(`${name} has no class`);
	return Class;
}
