// Variables that give access to anything stay out of the environment of programs that do not need them.
const secret = /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|PRIVATE_?KEY|API_?KEY/i;
// npm reads its own settings, and these two where a registry asks for them.
const npmSetting = /^(?:npm_config_|npm_token$|node_auth_token$)/i;

/** The environment without variables whose names say that they give access. */
function withoutSecrets(environment) {
	return Object.fromEntries(
		Object.entries(environment).filter(([name]) => !secret.test(name) || npmSetting.test(name)),
	);
}

module.exports = { withoutSecrets };
