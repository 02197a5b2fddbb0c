import type { INodeProperties } from 'n8n-workflow';

export const tagTitle: INodeProperties = {
	displayName: 'Tag',
	name: 'tag',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. customers',
	description: 'Title of the tag',
};
