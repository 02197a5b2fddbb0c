import { administrationCases } from './administration';
import { eventCases } from './event';
import { peopleCases } from './people';
import { sessionCases } from './session';

const rows = { ...eventCases, ...sessionCases, ...peopleCases, ...administrationCases };

export const cases = Object.entries(rows).map(([name, row]) => {
	const [resource = '', operation = ''] = name.split('.');
	return { resource, operation, ...row };
});
