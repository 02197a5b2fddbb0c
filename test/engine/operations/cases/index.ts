import type { OperationCase } from '../operationCase';
import { administrationCases } from './administration';
import { eventCases } from './event';
import { peopleCases } from './people';
import { sessionCases } from './session';

export const cases: OperationCase[] = [
	...eventCases,
	...sessionCases,
	...peopleCases,
	...administrationCases,
];
