/** Which kinds of alert leave the browser, and by which way. */
import {
  ADMIN_ALERT_CODES,
  type AdminAlert,
  ALERT_CHANNELS,
  type AlertChannel,
  type OutsideAlerts,
} from "shared/admin_api.ts";
import type { z } from "zod";
import type { chooseOutsideRequestSchema } from "shared/admin_api.ts";
import { toAlertMessage } from "../admin/alert_message.ts";
import { ALERT_TYPES } from "../admin/alerts.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { query } from "../db/query.ts";
import { alertChoices, alertMessages } from "../db/schema.ts";
import { readBatch, writeBatch } from "../db/write_batch.ts";
import type { Caller } from "../http/router.ts";
import { alertsChanged } from "../events/alert.ts";
import { KIND_LABELS } from "../text/cause_words.ts";
import { TEST } from "./test_channel.ts";

type Code = AdminAlert["code"];
export type Choice = Record<AlertChannel, boolean>;
type ChoiceRow = typeof alertChoices.$inferSelect;

const DAY_MS = 24 * 60 * 60_000;

/** Returns what goes out: an error by default, a warning where a person chose it. */
export function choicesOf(rows: readonly ChoiceRow[]): Record<Code, Choice> {
  const chosen = ALERT_TYPES.map(({ code, type }) => {
    const row = rows.find((one) => one.code === code);
    const usual = type === "error";
    return [code, { email: row?.email ?? usual, webhook: row?.webhook ?? usual }];
  });
  return Object.fromEntries(chosen);
}

/** Returns the ways out with their last test and failure, and the choice of every kind. */
export async function readOutside(ctx: EdgeContext): Promise<OutsideAlerts> {
  const found = await readBatch(ctx.db, {
    choices: query.select().from(alertChoices),
    messages: query.select().from(alertMessages),
  });
  const choices = choicesOf(found.choices.rows);
  const lately = ctx.now() - DAY_MS;
  return {
    channels: ALERT_CHANNELS.map((channel) => {
      const own = found.messages.rows.filter((one) => one.channel === channel);
      const test = own.find(({ cause }) => cause === TEST);
      const failed = own.filter(({ cause, state, triedAt }) =>
        cause !== TEST && (state === "failed" || state === "unknown") && triedAt > lately
      ).sort((one, other) =>
        other.triedAt - one.triedAt
      )[0];
      return {
        channel,
        isSetUp: ctx.outside?.send[channel] !== undefined,
        lastTest: test ? toAlertMessage(test) : null,
        lastFailure: failed ? toAlertMessage(failed) : null,
      };
    }),
    kinds: ALERT_TYPES.map(({ code, type }) => ({ code, type, label: KIND_LABELS[code], ...choices[code] })),
  };
}

/** Saves the choices that differ; an audited act. */
export async function chooseOutside(
  ctx: EdgeContext,
  user: Pick<Caller, "person">,
  { kinds }: z.infer<typeof chooseOutsideRequestSchema>,
): Promise<OutsideAlerts> {
  const { choices } = await readBatch(ctx.db, { choices: query.select().from(alertChoices) });
  const present = choicesOf(choices.rows);
  const changed = ADMIN_ALERT_CODES.flatMap((code) => {
    const next = kinds.findLast((one) => one.code === code);
    if (next === undefined) return [];
    const { email, webhook } = next;
    return present[code].email === email && present[code].webhook === webhook
      ? []
      : [{ code, email, webhook }];
  });
  if (changed.length > 0) {
    const data = Object.fromEntries(changed.map(({ code, ...choice }) => [code, choice]));
    const now = ctx.now();
    await writeBatch(ctx.db, {
      ...Object.fromEntries(changed.map(({ code, ...choice }) => [
        code,
        query.insert(alertChoices).values({ code, ...choice })
          .onConflictDoUpdate({ target: alertChoices.code, set: choice }),
      ])),
      audited: noteAudit(now, { kind: "alert_choices_changed", actor: user.person, data }),
      event: alertsChanged(now),
    });
    ctx.wakeOutbox();
  }
  return await readOutside(ctx);
}
