/** Files that a site's machine installs: the install script and the packed agents of `deno task agent:pack`. */
import { Hono } from "hono";
import { serveStatic } from "hono/deno";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { INSTALL_SCRIPT_PATH, PACKAGE_PATH } from "shared/install_line.ts";
import type { AppEnv } from "./router.ts";

/** Ends the requesting shell with a reason instead of silently. */
const NOT_PACKED = `echo "בשרת הזה אין חבילת התקנה של תוכנת האתר. יש לפנות למנהל המערכת." >&2
echo "This server has no agent package: its operator runs 'deno task agent:pack' once." >&2
exit 1
`;

/** Serves the files of `packageDir` to everybody, because they contain no secret. */
export function agentPackage(packageDir: string): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get(INSTALL_SCRIPT_PATH, async (c) => {
      const script = await readFile(join(packageDir, "install.sh"), "utf8").catch(() => NOT_PACKED);
      return c.body(script, 200, {
        "content-type": "text/x-shellscript; charset=utf-8",
        "cache-control": "no-cache",
      });
    })
    .get(
      `${PACKAGE_PATH}/:file{shigur-agent-linux-\\w+\\.tar\\.gz}`,
      serveStatic({ root: packageDir, rewriteRequestPath: (path) => path.slice(PACKAGE_PATH.length) }),
    );
}
