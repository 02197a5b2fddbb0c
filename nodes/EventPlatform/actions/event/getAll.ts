import { queryOf } from '../../fields/requestParts';
import { listOf, type ListOperation } from '../listOperation';
import { choiceField, eitherField, textField } from '../../fields/fieldBuilders';
import { textsIn } from '../../fields/parameterValues';
import { createdAndUpdated } from '../../fields/sharedFields';
import { includeField } from './eventFields';

export const getAll: ListOperation = listOf('events', '/events', {
	action: 'Get many events',
	description: 'Retrieve the events of the workspace',
	filters: [
		...createdAndUpdated,
		eitherField({
			displayName: 'Speakers',
			name: 'everyoneCanSpeak',
			yes: 'Everyone',
			no: 'The Team Only',
			description: 'Only events in which these people can use microphone and camera',
		}),
		choiceField(
			'schedulingStatus',
			'cancelled draft ended live not_scheduled not_started on_demand upcoming'.split(' '),
			'upcoming',
			'Only events in this state',
		),
		textField('tag', 'Only events with one of these tags, separated by commas', {
			displayName: 'Tags',
			placeholder: 'e.g. customers,product',
		}),
		textField('title', 'Only events with this text in their title', 'Product demo'),
	],
	options: [includeField],
	query(parameters) {
		const query = queryOf(parameters, ['include']);
		const tags = textsIn(query['filter[tag]']).join(',');
		return tags === '' ? query : { ...query, 'filter[tag]': tags };
	},
});
