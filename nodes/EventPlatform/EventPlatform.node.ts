import {
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
	updateDisplayOptions,
} from 'n8n-workflow';
import { actionHint } from './builderHints';
import { secretMembers } from './core/values/secrets';
import { authentication, credentials } from './n8n/authentication';
import { listSearch, loadOptions, resourceMapping } from './editor';
import { titleOf } from './fields/fieldNames';
import { chosenFromList } from './fields/locators';
import { operations, resources } from './actions';
import { route } from './actions/router';

const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: Object.entries(resources).map(([value, { description }]) => ({
			value,
			name: titleOf(value),
			description,
		})),
		default: 'registration',
	},
	...Object.entries(resources).map(([resource, { operations: own, initial = 'getAll' }]) => ({
		displayName: 'Operation',
		name: 'operation',
		type: 'options' as const,
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: Object.entries(own).map(([value, { action, description }]) => ({
			value,
			name: value === 'getAll' ? 'Get Many' : titleOf(value),
			action,
			description,
		})),
		default: initial,
	})),
	...[...operations.values()].flatMap(({ resource, name, operation: { fields } }) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [name] } }, fields),
	),
];

const actions = [...operations].map(([chosen, { operation }]) => [chosen, operation.action]);
const actionByChoice = JSON.stringify(Object.fromEntries(actions));
const chosenAction = `(${actionByChoice})[$parameter["resource"] + " " + $parameter["operation"]]`;
const chosenRecord = chosenFromList(['sessionId', 'eventId']);
/** The subtitle of a node on the canvas: its operation, in the words of the panel it was chosen from. */
const subtitle = `={{ [${chosenAction}, ${chosenRecord}].filter(Boolean).join(": ") }}`;

export class EventPlatform implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Event Platform',
		name: 'eventPlatform',
		icon: { light: 'file:eventPlatform.svg', dark: 'file:eventPlatform.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		description:
			'Manage webinars on the web-event platform Livestorm: events, sessions, registrations, attendance and recordings',
		defaults: { name: 'Event Platform' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		builderHint: actionHint,
		// These fields of records as sent log a person in, or work for anybody. Older versions of n8n ignore the list.
		sensitiveOutputFields: [
			...['', 'data.', 'data.data.', 'included[*].'].flatMap((record) =>
				secretMembers.map((key) => `${record}attributes.registrant_detail.${key}`),
			),
			'attributes.url',
			'included[*].attributes.url',
		],
		credentials,
		properties: [authentication, ...properties],
	};

	methods = { listSearch, loadOptions, resourceMapping };

	execute = route;
}
