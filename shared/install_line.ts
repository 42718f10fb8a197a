/** The one line that makes a Linux machine a site, and where the edge serves what it needs. */

/** The install script; it fetches the packed agent of its machine's processor from PACKAGE_PATH. */
export const INSTALL_SCRIPT_PATH = "/agent/install.sh";
/** Folder of the packed agents. */
export const PACKAGE_PATH = "/agent/package";

/** File of one packed agent; `arch` as `uname -m` and `Deno.build.arch` say it: "x86_64", "aarch64". */
export function packageName(arch: string): string {
  return `shigur-agent-linux-${arch}.tar.gz`;
}

/**
 * What a site's owner pastes into a terminal: installs the agent as a service and enrols it with the join token.
 * `edgeOrigin` has no path and no slash at its end; neither it nor a token has a character the shell would take for
 * its own.
 */
export function installLine(edgeOrigin: string, joinToken: string): string {
  return `curl -fsS ${edgeOrigin}${INSTALL_SCRIPT_PATH} | sudo sh -s -- --edge ${edgeOrigin} --token ${joinToken}`;
}
