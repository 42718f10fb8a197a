/** The built screens: hashed assets that browsers keep for ever, and one page for every address that is not a file. */
import { Hono, type MiddlewareHandler } from "hono";
import { serveStatic } from "hono/deno";
import { REMOVAL_PATH } from "shared/removal_address.ts";
import type { AppEnv } from "./router.ts";

const NOT_BUILT = "המסכים עוד לא נבנו. The screens are not built yet: run `deno task build`.";

/** Serves `webDir`: a missing file is 404, a deep link is the page. */
export function screens(webDir: string): Hono<AppEnv> {
  const files = (cacheControl: string, path?: string): MiddlewareHandler =>
    serveStatic({
      root: webDir,
      path,
      precompressed: true,
      onFound: (_path, c) => {
        c.header("cache-control", cacheControl);
        c.header("vary", "Accept-Encoding");
      },
    });
  return new Hono<AppEnv>()
    // Only names that our build produces, so that no other path reaches the file system.
    .get("/assets/:file{[\\w.-]+}", files("public, max-age=31536000, immutable"))
    .get("/assets/*", (c) => c.text("Not found", 404))
    // A name with a dot is a file of the root (favicon.svg, robots.txt), never a screen.
    .get("/:file{[\\w-]+\\.[\\w.-]+}", files("public, max-age=3600"))
    .get("/developers", files("no-cache", "developers.html"))
    .get("/developers/en", files("no-cache", "developers_en.html"))
    // A recipient's link belongs in no search engine.
    .get(`${REMOVAL_PATH}*`, async (c, next) => {
      await next();
      c.header("x-robots-tag", "noindex, nofollow");
    })
    .get("*", async (c, next) => {
      if (/\.[^/]*$/.test(c.req.path)) return c.text("Not found", 404);
      return await files("no-cache", "index.html")(c, next);
    })
    .get("*", (c) => c.text(NOT_BUILT, 503));
}
