/** A client's declaration about an upload to a marketing campaign: checked on arrival, kept per number as evidence. */
import type { InStatement } from "@libsql/client/web";
import { type Consent, consentSchema } from "shared/consent.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { localDay } from "../time/local_day.ts";
import { statement } from "../db/statement.ts";
import { rowsAs } from "../db/query.ts";
import { type CampaignRow, consentDeclarations } from "../db/schema.ts";
import { writeBatch } from "../db/write_batch.ts";

// An import is declared once, however often its file is tried.
const DECLARE =
  `INSERT INTO consent_declarations (client, at, user, basis, source, obtained_on, campaign, import)
  SELECT client, :now, :user, :basis, :source, :obtainedOn, id, :importId FROM campaigns WHERE id = :campaign`;

const DECLARE_FOR_LIST =
  `INSERT INTO consent_declarations (client, at, user, basis, source, obtained_on, list)
  VALUES (:client, :now, :user, :basis, :source, :obtainedOn, :list) RETURNING id`;

/** SQL: the client has declared a basis for advertising to number `value`. Needs :client. */
export const CONSENTED = "EXISTS (SELECT 1 FROM consents WHERE client = :client AND phone = value)";
/** SQL: the campaign advertises, so that each number needs a declared consent. Needs :campaign. */
export const NEEDS_CONSENT = "((SELECT kind FROM campaigns WHERE id = :campaign) = 'marketing')";

/** Stores the declaration for an import's numbers, in the transaction that inserts them. */
export const KEEP_CONSENTS = `INSERT INTO consents (client, phone, declaration)
  SELECT :client, value, d.id FROM consent_declarations d CROSS JOIN json_each(:phones)
  WHERE d.import = :importId ON CONFLICT (client, phone, declaration) DO NOTHING`;

/** Reads the field `consent` of an upload's form: JSON, or nothing. @throws {HttpError} `invalid_input` */
export function readConsentField(form: FormData): Consent | undefined {
  const field = form.get("consent");
  if (field === null || field === "") return undefined;
  let given: unknown;
  try {
    given = JSON.parse(String(field));
  } catch {
    throw wrongConsent("consent is not JSON");
  }
  const consent = consentSchema.safeParse(given);
  if (!consent.success) throw wrongConsent(`consent.${consent.error.issues[0]?.path.join(".")}`);
  return consent.data;
}

/**
 * Refuses a declaration for a campaign that does not advertise, or with a date in the future.
 *
 * @throws {HttpError} `invalid_input`
 */
export function checkConsent(
  { kind }: Pick<CampaignRow, "kind">,
  consent: Consent | undefined,
  now: number,
): void {
  if (consent === undefined) return;
  if (kind !== "marketing") {
    throw new HttpError("invalid_input", { text: "בסיס להסכמה נחוץ רק בקמפיין שיווקי." });
  }
  if (consent.basis !== "opt_in") return;
  const day = Number(consent.obtainedOn.replaceAll("-", ""));
  if (day > localDay(now)) {
    throw new HttpError("invalid_input", { text: "מועד ההסכמה לא יכול להיות בעתיד." });
  }
}

/** Returns the statements that store a declaration, before its first number. */
export function declareConsent(
  ctx: EdgeContext,
  consent: Consent,
  { campaign, importId, user }: { campaign: number; importId: number; user: number },
): InStatement[] {
  const now = ctx.now();
  const source = withoutNumbers(consent.source);
  const { basis } = consent;
  const obtainedOn = consent.basis === "opt_in" ? consent.obtainedOn : null;
  const args = { basis, source, obtainedOn, campaign, importId, user, now };
  const data = { basis, source, obtainedOn, import: importId };
  return [
    statement(DECLARE, args),
    noteAudit(now, { kind: "consent_declared", actor: user, campaign, data }),
  ];
}

/** Stores a declaration about the people who are being loaded into a list, and returns its id. */
export async function declareListConsent(
  ctx: EdgeContext,
  consent: Consent,
  { client, list, user }: { client: number; list: number; user: number },
): Promise<number> {
  checkConsent({ kind: "marketing" }, consent, ctx.now());
  const now = ctx.now();
  const source = withoutNumbers(consent.source);
  const { basis } = consent;
  const obtainedOn = consent.basis === "opt_in" ? consent.obtainedOn : null;
  const { declared } = await writeBatch(ctx.db, {
    declared: statement(DECLARE_FOR_LIST, { client, list, user, basis, source, obtainedOn, now }),
    audited: noteAudit(now, {
      kind: "consent_declared",
      actor: user,
      data: { basis, source, obtainedOn, list },
    }),
  });
  return rowsAs(declared, { id: consentDeclarations.id })[0]!.id;
}

function wrongConsent(detail: string): HttpError {
  return new HttpError("invalid_input", {
    detail,
    text: "הבסיס להסכמה לא תקין. להסכמה מראש צריך לציין איפה ניתנה ומתי.",
  });
}
