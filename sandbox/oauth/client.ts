import { timingSafeEqual } from 'node:crypto';
import type { Client } from '@node-oauth/oauth2-server';
import type { SandboxOptions } from '../options';
import { hash } from './tokens';

/** The one partner app that the sandbox knows. */
export const clientId = 'sandbox-client';
export const clientSecret = 'sandbox-secret';
export const clientName = 'Sandbox Partner App';

export const grantTypes: readonly string[] = ['authorization_code', 'refresh_token'];

export function partnerApp({ redirectUri }: SandboxOptions): Client {
	return { id: clientId, redirectUris: [redirectUri], grants: [...grantTypes] };
}

/** Compares the id and the secret in constant time. */
export function isPartnerApp(id: string, secret: string): boolean {
	const actual = [hash(id), hash(secret)].join();
	const expected = [hash(clientId), hash(clientSecret)].join();
	return timingSafeEqual(Buffer.from(actual), Buffer.from(expected));
}
