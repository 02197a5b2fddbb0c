import { choiceField, eitherField, textField } from '../../fields/fieldBuilders';
import type { Resource } from '../operation';
import { listOf } from '../listOperation';

export const personAttribute: Resource = {
	description: 'A field that registration forms can ask for',
	operations: {
		getAll: listOf('people_attributes', '/people_attributes', {
			action: 'Get many person attributes',
			description: 'Retrieve the person attributes: the fields that registration forms can ask for',
			filters: [
				textField('name', 'Only attributes with this name', 'Job title'),
				eitherField({
					displayName: 'Origin',
					name: 'builtin',
					yes: 'Built In',
					no: 'Custom',
					description: 'Only built-in attributes, or only custom ones',
				}),
				textField('slug', 'Only the attribute with this identifier', 'job_title'),
				choiceField(
					'type',
					['avatar', 'consent', 'email', 'multiple_select', 'text', 'unique_select', 'url'],
					'text',
					'Only attributes of this type',
				),
			],
			options: [
				choiceField(
					'sort',
					{
						'-created_at': { name: 'Created, Newest First' },
						created_at: { name: 'Created, Oldest First' },
						name: { name: 'Name, A to Z' },
						'-name': { name: 'Name, Z to A' },
						placeholder: { name: 'Placeholder, A to Z' },
						'-placeholder': { name: 'Placeholder, Z to A' },
						slug: { name: 'Slug, A to Z' },
						'-slug': { name: 'Slug, Z to A' },
						'-updated_at': { name: 'Updated, Newest First' },
						updated_at: { name: 'Updated, Oldest First' },
					},
					'name',
					'Order of the attributes',
				),
			],
		}),
	},
};
