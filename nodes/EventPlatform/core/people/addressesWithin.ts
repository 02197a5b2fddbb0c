import { isObject, type Json, type JsonObject } from '../values/json';
import { isAddress, sameAddress } from './address';
import { isGeneratedAddress } from '../dialect/publicEvents';
import { isWithheld } from '../values/secretNames';

/** A longer text is no address. An address has 320 characters at most, and some are written with more around them. */
const longestAddressText = 400;
/** No more values are looked at, and no more addresses collected. A record has some hundred values, of which few are addresses. */
const mostValues = 2_000;
const mostAddresses = 20;

/**
 * Gives the addresses that a record holds anywhere, each once and as `sameAddress` writes it, because it is not specified where a
 * record of the platform has the email of its person. A text that is more than an address counts as none.
 */
export function addressesWithin(record: JsonObject): string[] {
	const addresses = new Set<string>();
	let values: Json[] = [record];
	let valuesRead = 0;
	while (values.length > 0 && valuesRead < mostValues && addresses.size < mostAddresses) {
		valuesRead += values.length;
		for (const value of values) {
			const address = typeof value === 'string' ? addressIn(value) : undefined;
			if (address !== undefined) addresses.add(address);
		}
		values = values.flatMap(partsOf);
	}
	return [...addresses];
}

function addressIn(text: string): string | undefined {
	if (text.length > longestAddressText || !text.includes('@')) return undefined;
	const address = sameAddress(text);
	return isAddress(address) && !isGeneratedAddress(address) ? address : undefined;
}

function partsOf(value: Json): Json[] {
	if (Array.isArray(value)) return value;
	if (!isObject(value)) return [];
	return Object.entries(value).flatMap(([name, part]) => (isWithheld(name) ? [] : [part]));
}
