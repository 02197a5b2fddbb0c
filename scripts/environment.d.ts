/** The environment without variables whose names say that they give access. */
export function withoutSecrets(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
