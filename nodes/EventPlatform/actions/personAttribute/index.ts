import { choiceField, eitherField, textField } from '../../fields/fieldBuilders';
import type { Resource } from '../operation';
import { listOf } from '../records';

export const personAttribute: Resource = {
	description: 'A field that registration forms can ask for',
	operations: {
		getAll: listOf('people_attributes', '/people_attributes', {
			action: 'Get many person attributes',
			description: 'Retrieve the person attributes: the fields that registration forms can ask for',
			filters: [
				textField('name', 'Only attributes with this name', 'Job title'),
				eitherField(
					['Origin', 'builtin'],
					['Built In', 'Custom'],
					'Only built-in attributes, or only custom ones',
				),
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
						'-created_at': ['Created, Newest First'],
						created_at: ['Created, Oldest First'],
						name: ['Name, A to Z'],
						'-name': ['Name, Z to A'],
						placeholder: ['Placeholder, A to Z'],
						'-placeholder': ['Placeholder, Z to A'],
						slug: ['Slug, A to Z'],
						'-slug': ['Slug, Z to A'],
						'-updated_at': ['Updated, Newest First'],
						updated_at: ['Updated, Oldest First'],
					},
					'name',
					'Order of the attributes',
				),
			],
		}),
	},
};
