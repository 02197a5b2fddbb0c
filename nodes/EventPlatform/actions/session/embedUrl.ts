import { textField } from '../../fields/fieldBuilders';

export const embedUrl = textField(
	'embedUrl',
	'URL of the page that embeds the room',
	'https://www.example.com/live',
);
