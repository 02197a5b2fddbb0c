import { itemParameters } from '../../support/n8n/itemParameters';
import { readMappedValues } from '../../../nodes/EventPlatform/fields/mappedValues';

const mappedBy = (parameters: object, item?: { email: string }) =>
	readMappedValues(itemParameters(parameters, { item }));

describe('what is mapped', () => {
	test('is the item itself, without columns, where whole items are mapped', () => {
		const whole = { fields: { mappingMode: 'autoMapInputData', value: { email: 'x' } } };
		const { values, columns } = mappedBy(whole, { email: 'ada@x.io' });
		expect([values, columns]).toEqual([{ email: 'ada@x.io' }, undefined]);
	});

	test.each<[string, unknown, boolean]>([
		['saved', [{ id: 'email' }], true],
		['given by an expression', ['={{ $json.column }}'], false],
	])('says whether all items have its columns: %s', (_, schema, isSameForAllItems) => {
		const { columns } = mappedBy({ fields: { value: null, schema } });
		expect(columns).toEqual({ saved: schema, isSameForAllItems });
	});

	test.each([undefined, null, 'x', {}])('has no columns where those are %j', (schema) => {
		const { values, columns } = mappedBy({ fields: { value: null, schema } });
		expect([values, columns?.saved]).toEqual([{}, []]);
	});
});
