/** The one-line command that makes a Linux machine a site, and the edge's paths for its files. */

/** Path of the install script; it fetches the packed agent for its machine's processor from PACKAGE_PATH. */
export const INSTALL_SCRIPT_PATH = "/agent/install.sh";
/** Folder of the packed agents. */
export const PACKAGE_PATH = "/agent/package";

/** Returns the file name of one packed agent; `arch` as in `uname -m` and `Deno.build.arch`: "x86_64", "aarch64". */
export function packageName(arch: string): string {
  return `shigur-agent-linux-${arch}.tar.gz`;
}

/**
 * Returns the shell line that installs the agent as a service and enrols it with the join token. `edgeOrigin` has
 * no path and no slash at its end. Neither it nor a token contains shell metacharacters.
 */
export function installLine(edgeOrigin: string, joinToken: string): string {
  return `curl -fsS ${edgeOrigin}${INSTALL_SCRIPT_PATH} | sudo sh -s -- --edge ${edgeOrigin} --token ${joinToken}`;
}
