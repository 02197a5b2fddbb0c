/*
 * Times and spans of time. A number is taken for either, because sums and products are plain numbers; a time in milliseconds is not
 * taken for one in seconds.
 */

/** A span in milliseconds, or a moment in milliseconds since 1970. */
export type Ms = number & { readonly unit?: 'ms' };

/** A span in seconds, or a moment in Unix seconds. */
export type Seconds = number & { readonly unit?: 's' };

export const minuteMs: Ms = 60_000;
export const hourMs: Ms = 60 * minuteMs;
export const dayMs: Ms = 24 * hourMs;
export const daySeconds: Seconds = dayMs / 1_000;
