import type { Config } from "../config.ts";
import type { Outside } from "../context.ts";
import { openEmail, openMail } from "./send_email.ts";
import { openWebhook } from "./send_webhook.ts";

/** Returns the ways out that the environment names; undefined when it names none. */
export function openOutside(
  { email, alertWebhook, publicUrl }: Pick<Config, "email" | "alertWebhook" | "publicUrl">,
): Outside | undefined {
  if (email === undefined && alertWebhook === undefined) return undefined;
  return {
    send: {
      ...email && { email: openEmail(email) },
      ...alertWebhook && { webhook: openWebhook(alertWebhook) },
    },
    ...email && { mail: openMail(email) },
    origin: publicUrl?.origin ?? null,
  };
}
