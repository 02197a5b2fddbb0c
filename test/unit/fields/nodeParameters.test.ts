import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { NodeParameters } from '../../../nodes/EventPlatform/fields/nodeParameters';

/** A node with these parameters. n8n gives each item another value, so that it shows for whom it was asked. */
function node(parameters: INodeParameters) {
	const asked: string[] = [];
	const context = {
		getNode: () => ({ parameters }),
		getNodeParameter(name: string, item: number, _: unknown, options?: object) {
			asked.push(`${name} ${item}${options ? ' with options' : ''}`);
			return item;
		},
	};
	return { reader: new NodeParameters(context as unknown as IExecuteFunctions, []), asked };
}

test.each<[string, INodeParameters]>([
	['session', { session: 's1' }],
	['session', {}],
	['session', { session: { __rl: true, mode: 'id', value: 'a = b' } }],
	['fields.mappingMode', { fields: { mappingMode: 'defineBelow', value: { email: '={{ 1 }}' } } }],
	['fields.schema', { fields: { value: '={{ 1 }}' } }],
])('%s of %j is the same for every item: n8n is asked once', (name, parameters) => {
	const { reader, asked } = node(parameters);
	expect([3, 4, 5].map((item) => reader.value(item, name, ''))).toEqual([3, 3, 3]);
	expect(asked).toEqual([`${name} 3`]);
});

test.each<[string, INodeParameters]>([
	['session', { session: '={{ $json.id }}' }],
	['session', { session: '=' }],
	['session', { session: { __rl: true, mode: 'id', value: '={{ $json.id }}' } }],
	['options', { options: { include: ['a', '={{ $json.b }}'] } }],
	['fields.value', { fields: { value: { first: 'a', email: '={{ $json.email }}' } } }],
])('%s of %j has an expression: n8n is asked for every item', (name, parameters) => {
	const { reader, asked } = node(parameters);
	expect([3, 4, 3].map((item) => reader.value(item, name, ''))).toEqual([3, 4, 3]);
	expect(asked).toHaveLength(3);
});

test('the same parameter read in another way is another value', () => {
	const { reader, asked } = node({ session: 's1' });
	reader.value(0, 'session', '');
	reader.value(1, 'session', '', { extractValue: true });
	reader.value(2, 'session', '', { extractValue: true });
	expect(asked).toEqual(['session 0', 'session 1 with options']);
});
