import { Workflow, type INode } from 'n8n-workflow';

/** A node that does nothing, where n8n asks for one. */
export const emptyNode: INode = {
	id: 'nobody',
	name: 'nobody',
	type: 'nobody',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const noType = () => ({ description: { properties: [] } }) as never;

/** Works out the expressions of a credential, as n8n does. */
export const { expression } = new Workflow({
	nodes: [emptyNode],
	connections: {},
	active: false,
	nodeTypes: { getByName: noType, getByNameAndVersion: noType, getKnownTypes: () => ({}) },
});
