/** Headers of every response that restrict the browser. */
import type { MiddlewareHandler } from "hono";

/** ApexCharts 4.7.0 writes these two `<style>` elements; their text is constant, so their hashes allow them. */
const APEXCHARTS_STYLES = [
  "'sha256-TBymqJXQvXKxe+z+3ydUYBErlkFFu110c5FjiVB8p+M='",
  "'sha256-aSysLrDECVdJ6L+jLf8CC5QKLmwRuk/OZiZk9mYky8A='",
];

/** No inline script or style; images may be data: (icons in the CSS) and blob: (the preview of a chosen file). */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${APEXCHARTS_STYLES.join(" ")}`,
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/**
 * Adds the headers to every response except a socket upgrade, whose headers come from the runtime. Other names under
 * the host are not ours, so they are not bound to https for a year. Cookies are `__Host-`, so none of those names can
 * plant one.
 */
export function securityHeaders(isHttps: boolean): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (c.res.status === 101) return;
    // For each header c.header() would create a new response with a stream as its body.
    const { headers } = c.res;
    for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
    if (isHttps) headers.set("strict-transport-security", "max-age=31536000");
  };
}
