import { administrationCases } from './administration';
import { eventCases } from './event';
import { peopleCases } from './people';
import { sessionCases } from './session';
import { resources } from '../../../../nodes/EventPlatform/actions';

const rows = { ...eventCases, ...sessionCases, ...peopleCases, ...administrationCases };

export const cases = Object.entries(rows).map(([name, row]) => {
	const [resource = '', operation = ''] = name.split('.');
	return { resource, operation, ...row };
});

export const operations = Object.entries(resources).flatMap(([resource, { operations: of }]) =>
	Object.entries(of).map(([operation, does]) => ({
		resource,
		operation,
		ofAllItems: 'runAll' in does,
	})),
);
