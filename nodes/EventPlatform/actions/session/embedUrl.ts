import type { INodeProperties } from 'n8n-workflow';
import { textField } from '../../fields/fieldBuilders';

export const embedUrl: INodeProperties = textField(
	'embedUrl',
	'URL of the page that embeds the room',
	'https://www.example.com/live',
);
