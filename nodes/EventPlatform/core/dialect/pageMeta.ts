import { isObject, type Json } from '../values/json';

/*
 * What this rests on: section 2.4 has the members of `meta`. Section 4.3 does not show the payload of some lists, which may be the list
 * itself.
 */

export interface PageMeta {
	/**
	 * The number of the last page, as far as this page knows; 0 for an empty list. Undefined where the platform does not say where the
	 * list ends.
	 */
	lastPage?: number;
	recordCount?: number;
}

/** The parts of a page as they were sent, which may be anything. */
interface PageParts extends PageMeta {
	data: unknown;
}

/** Reads a page, whose records stand in `data`, or which is itself the list of them. */
export function pagePartsOf(body: unknown): PageParts {
	return isObject(body) ? { data: body.data, ...readPageMeta(body.meta) } : { data: body };
}

function readPageMeta(meta: Json | undefined): PageMeta {
	if (!isObject(meta)) return {};
	const { current_page: current, next_page: next, page_count: pages, record_count } = meta;
	const recordCount = typeof record_count === 'number' ? record_count : undefined;
	// 0 is a page; null ends the list whatever the count says.
	if (next === null && typeof current === 'number') return { lastPage: current, recordCount };
	if (typeof pages === 'number') return { lastPage: Math.max(0, pages - 1), recordCount };
	return { lastPage: typeof next === 'number' ? next : undefined, recordCount };
}
