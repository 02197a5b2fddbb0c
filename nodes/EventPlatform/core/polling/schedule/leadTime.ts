import { minuteMs, hourMs, dayMs } from '../../values/units';

/** How long before its start a session is told. */
export interface LeadTime {
	minutes: number;
	/** As people chose it: "1 hour". */
	words: string;
}

/** A day is 24 hours, also when the clocks change. */
const msOfUnit = { minutes: minuteMs, hours: hourMs, days: dayMs };

type LeadUnit = keyof typeof msOfUnit;

export const leadUnits = Object.keys(msOfUnit) as LeadUnit[];

/** A session is rarely planned longer ahead. */
const longestLeadMinutes = 366 * (dayMs / minuteMs);

/** Reads a lead time; undefined where it is not from a minute to a year. */
export function parseLeadTime(amount: number, unit: string): LeadTime | undefined {
	const ofUnit = leadUnits.find((name) => name === unit);
	if (ofUnit === undefined) return undefined;
	const minutes = Math.round((amount * msOfUnit[ofUnit]) / minuteMs);
	if (!(minutes >= 1 && minutes <= longestLeadMinutes)) return undefined;
	return { minutes, words: `${amount} ${amount === 1 ? ofUnit.slice(0, -1) : ofUnit}` };
}

/** The lead times of a new trigger. */
export const defaultLeadTimes = { lead: [{ amount: 1, unit: 'hours' }] };
